import { ACTIVITY_TIME_STEP_MS } from '@sendlap/domain/qr-code.ts';
import { activeMinutes } from '@sendlap/domain/scoring.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { formatDuration, formatPause } from '#web/shared/time/format-minutes.ts';
import { formatTimeRange } from '#web/shared/time/format-time-range.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { QrImage } from '#web/shared/ui/QrImage.tsx';
import { TimeStepRing } from '#web/shared/ui/TimeStepRing.tsx';
import { useMeasures } from '#web/shared/units/use-measures.ts';
import type { FinishedActivity, SignedCode } from './activity-code.ts';

const STEP_S = ACTIVITY_TIME_STEP_MS / 1000;

/** The code must fit the screen as a whole, also on a phone in landscape: below the title and above the tabs. */
export const CODE_BOX = 'block aspect-square max-h-[max(240px,100dvh-152px)] w-full';

interface CodePanelProps {
  activity: FinishedActivity;
  /** null while the first code is being signed: the layout does not shift. */
  code: SignedCode | null;
  seconds_left: number;
}

/** The code, its digits and its time. White in every theme: cameras read that best in bad light. */
export function CodePanel({ activity, code, seconds_left }: CodePanelProps) {
  const { t } = useTranslation(['qr', 'shell']);
  const sport = t(`shell:sport.${activity.sport_type}`).toLowerCase();
  return (
    <div className="-mx-2 overflow-hidden rounded-xl bg-white text-black shadow-low">
      {code ? (
        <QrImage
          text={code.url}
          label={t('generate.image', { sport, center: activity.sport_center_name })}
          className={CODE_BOX}
        />
      ) : (
        <div role="status" aria-label={t('shell:loading')} className={`${CODE_BOX} p-[7%]`}>
          <div className="anim-shimmer size-full rounded-lg bg-black/10" />
        </div>
      )}
      <div className="flex items-center justify-between gap-3 px-[7%] pb-4">
        <Digits digits={code?.digits ?? null} />
        <TimeStepRing
          time_step_s={STEP_S}
          seconds_left={seconds_left}
          label={t('generate.nextIn', { seconds: seconds_left })}
        />
      </div>
    </div>
  );
}

/** In groups of 4 + 4, as people read them out. */
function Digits({ digits }: { digits: string | null }) {
  const { t } = useTranslation('qr');
  return (
    <div>
      <p className="text-sm text-black/65">{t('generate.digits')}</p>
      {digits ? (
        <p className="figures text-figure leading-tight font-bold" data-digits={digits}>
          <span className="sr-only">{t('generate.digitsRead', { digits: [...digits].join(' ') })}</span>
          <span aria-hidden="true">
            {digits.slice(0, 4)}
            <span className="inline-block w-[0.35em]" />
            {digits.slice(4)}
          </span>
        </p>
      ) : (
        <div className="anim-shimmer my-1.5 h-8 w-44 rounded-md bg-black/10" />
      )}
    </div>
  );
}

/** The facts in the code, so that the athlete can check them before the referee does. */
export function ActivityLine({ activity }: { activity: FinishedActivity }) {
  const { t } = useTranslation('qr');
  const locale = useLocale();
  const { swum } = useMeasures();
  const started_at = Date.parse(activity.started_at);
  const ended_at = Date.parse(activity.ended_at);
  const { tone, ink, icon } = SPORT_LOOKS[activity.sport_type];
  const { paused_s, distance_m, potential_points } = activity;
  const minutes = activeMinutes({ started_at, ended_at, paused_s });
  const facts = [formatTimeRange(started_at, ended_at, locale), formatDuration(minutes, locale)];
  if (paused_s > 0) facts.push(t('card.paused', { time: formatPause(paused_s, locale) }));
  if (distance_m !== null) facts.push(swum(distance_m));
  return (
    <Card tone={tone} className="flex items-center gap-3.5">
      <span className={ink}>
        <Icon name={icon} size={30} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 leading-snug font-semibold">{activity.sport_center_name}</p>
        <p className="figures text-label text-ink-soft">{facts.join(' · ')}</p>
        <p className="text-label text-ink-soft">{t('generate.potential', { count: potential_points })}</p>
      </div>
    </Card>
  );
}

/** How to make the code easy to scan, and who scans it. */
export function BrightnessHint({ text }: { text: string }) {
  return (
    <div className="flex items-start gap-3 px-1 text-label text-ink-soft">
      <Icon name="sun" size={22} className="mt-0.5 shrink-0" />
      <p>{text}</p>
    </div>
  );
}
