import { visitOf } from '@sendlap/domain/recording/overlaps.ts';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { serverClock } from '#web/shared/api/client.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { activityPath } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { formatDay } from '#web/shared/time/format-day.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { ActivityView } from '../data/activity-view.ts';
import { CorrectTimes } from './CorrectTimes.tsx';
import { DiscardButton } from './DiscardButton.tsx';
import { keepOtherResolution, keepOwnResolution, mergeResolution, type Overlap, toIso } from './overlap.ts';
import { useRefusedOps } from './use-refused-ops.ts';
import { useTimesText } from './use-times-text.ts';

interface OverlapCardProps {
  activity: ActivityView;
  overlap: Overlap;
}

/**
 * The refused activity overlaps others that the server has, mostly of another phone: shows all, and offers to merge
 * them, to keep one, or to shorten this one.
 */
export function OverlapCard({ activity, overlap }: OverlapCardProps) {
  const { t } = useTranslation('history');
  return (
    <Card as="section" tone="accent" role="alert" className="flex flex-col gap-3">
      <div>
        <h2 className="font-bold text-accent-ink">{t('overlap.title')}</h2>
        <p className="mt-0.5 text-label">{t(textKey(activity, overlap))}</p>
      </div>
      <ul className="flex flex-col gap-2">
        <Recorded activity={activity} label={t('overlap.here')} />
        {overlap.others.map((other) => (
          <Recorded key={other.client_id} activity={other} label={t('overlap.there')}>
            <p className="font-semibold">{t(stateKey(other))}</p>
          </Recorded>
        ))}
      </ul>
      <Choices activity={activity} overlap={overlap} />
    </Card>
  );
}

function textKey({ refusal }: ActivityView, { others }: Overlap) {
  if (others.length === 0) return 'overlap.unknown';
  return refusal?.had_ended ? 'overlap.hadEnded' : 'overlap.text';
}

function stateKey({ status, ended_at }: ActivityView) {
  if (status === 'validated') return 'overlap.confirmed';
  return ended_at === null ? 'overlap.runsThere' : 'overlap.finishedThere';
}

interface RecordedProps {
  activity: ActivityView;
  label: string;
  children?: ReactNode;
}

function Recorded({ activity, label, children }: RecordedProps) {
  const { t } = useTranslation(['history', 'shell']);
  const timesText = useTimesText();
  const { started_at, sport_type, sport_center_name: center } = activity;
  const { icon, ink } = SPORT_LOOKS[sport_type];
  const day = formatDay(Date.parse(started_at), useLocale());
  return (
    <li className="flex gap-3 rounded-lg bg-surface p-3 text-label">
      <Icon name={icon} size={26} className={`shrink-0 ${ink}`} />
      <div className="min-w-0">
        <p className="text-ink-soft">{label}</p>
        <p className="font-semibold">{t('again.text', { sport: t(`shell:sport.${sport_type}`), center })}</p>
        <p className="figures">{t('overlap.when', { day, times: timesText(visitOf(activity)) })}</p>
        {children}
      </div>
    </li>
  );
}

function Choices({ activity, overlap }: OverlapCardProps) {
  const { t } = useTranslation(['history', 'activities']);
  const timesText = useTimesText();
  const { retry, resolve } = useRefusedOps(activity.client_id);
  const { merge, others, free_part } = overlap;
  const leave = useLeaveTo(activity, merge?.into ?? others[0]);
  const is_known = others.length > 0;
  const context = { newId: () => crypto.randomUUID(), now: new Date(serverClock.correctedNow()).toISOString() };
  return (
    <div className="flex flex-col gap-2">
      {merge && (
        <Button
          size="sm"
          wide
          onClick={() => void resolve(mergeResolution(activity, { ...overlap, merge }, context)).then(leave)}
        >
          {t('overlap.merge', { times: timesText(merge.visit) })}
        </Button>
      )}
      {merge?.visit.ended_at === null && <p className="text-sm text-ink-soft">{t('overlap.mergeRunsOn')}</p>}
      {merge?.drops_proof && <p className="text-sm text-ink-soft">{t('overlap.mergeDropsProof')}</p>}
      {activity.ended_at !== null && (
        <CorrectTimes
          activity={activity}
          code="activity_overlap"
          keep_start={!activity.refusal?.kinds.includes('start')}
          {...(is_known && free_part ? { label: t('overlap.shorten') } : {})}
        />
      )}
      {free_part?.ended_at === null && (
        <Button size="sm" kind="secondary" wide onClick={() => void retry({ started_at: toIso(free_part.started_at) })}>
          {t('overlap.startAfter', { times: timesText(free_part) })}
        </Button>
      )}
      <div className="flex flex-wrap gap-2 *:grow *:basis-[8rem]">
        {is_known ? (
          <DiscardButton
            label={t('overlap.keepOwn')}
            confirm={t('overlap.confirmOwn')}
            text={t('overlap.keepOwnText', { count: others.reduce((sum, other) => sum + other.points, 0) })}
            onDiscard={() => void resolve(keepOwnResolution(overlap, context))}
          />
        ) : (
          <Button size="sm" kind="secondary" wide onClick={() => void retry()}>
            {t('activities:refused.retry')}
          </Button>
        )}
        <DiscardButton
          {...(is_known
            ? { label: t('overlap.keepOther'), text: t('overlap.keepOtherText'), confirm: t('overlap.confirmOther') }
            : {})}
          onDiscard={() => void resolve(keepOtherResolution(activity, context)).then(leave)}
        />
      </div>
    </div>
  );
}

/** The page of an activity that became part of another one shows that one. */
function useLeaveTo({ client_id }: ActivityView, other: ActivityView | undefined): (is_saved: boolean) => void {
  const [path, navigate] = useLocation();
  return (is_saved) => {
    if (is_saved && other && path === activityPath(client_id))
      navigate(activityPath(other.client_id), { replace: true });
  };
}
