import { MIN_SCORED_MINUTES } from '@sendlap/domain/scoring.ts';
import { hasDistance } from '@sendlap/domain/sports.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatMinutes, formatPause } from '#web/shared/time/format-minutes.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { ActivityView } from '../data/activity-view.ts';
import { formatNumber } from '../data/times.ts';
import { assumptionOf, pointsIfRefereeConfirms } from './score-breakdown.ts';

/** "How was this computed?": the score rule's calculation with this activity's own numbers. */
export function ScoreBreakdown({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation('activities');
  return (
    <section className="rounded-lg bg-surface">
      <details className="group">
        <summary className="flex min-h-14 cursor-pointer list-none items-center justify-between gap-2 px-4 font-semibold [&::-webkit-details-marker]:hidden">
          {t('sum.title')}
          <Icon name="chevron-down" size={22} className="transition-transform group-open:rotate-180" />
        </summary>
        <BreakdownTable activity={activity} />
      </details>
    </section>
  );
}

function BreakdownTable({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation('activities');
  const locale = useLocale();
  const now = useServerNow();
  const { score, sport_type, status, points } = activity;
  if (!score) return null;
  const { active_percent, rest_met_thousandths } = assumptionOf(sport_type);
  const formatMet = (thousandths: number) => t('sum.met', { met: formatNumber(thousandths / 1000, locale, 3) });
  const formatShare = (percent: number, thousandths: number) =>
    t('sum.share', { percent, met: formatMet(thousandths) });
  const is_from_pace =
    (activity.distance_m ?? 0) > 0 && (score.rule_version === 'met-1' || activity.validation === 'referee');
  const counts_as_easy = hasDistance(sport_type) && score.rule_version !== 'met-1' && !is_from_pace;
  const referee_points = pointsIfRefereeConfirms(activity, now);
  const counted = formatMinutes(score.counted_minutes, locale);
  const of_total_text = t('sum.minutesOf', { time: formatMinutes(score.minutes, locale) });
  return (
    <div className="px-4 pb-4 text-label">
      <dl className="figures flex flex-col">
        <BreakdownRow
          name={t(`sum.active.${sport_type}`)}
          value={formatShare(active_percent, score.active_met_thousandths)}
        />
        <BreakdownRow name={t('sum.rest')} value={formatShare(100 - active_percent, rest_met_thousandths)} sign="+" />
        <BreakdownRow name={t('sum.average')} value={formatMet(score.met_thousandths)} sign="=" strong />
        <BreakdownRow
          name={t('sum.minutes')}
          note={score.minutes === score.counted_minutes ? '' : of_total_text}
          value={counted}
          sign="×"
        />
        <BreakdownRow
          name={t('sum.result')}
          value={formatNumber(status === 'validated' ? points : score.points, locale)}
          sign="="
          strong
        />
      </dl>
      <ul className="mt-3 flex flex-col gap-1.5 text-sm text-ink-soft">
        {activity.paused_s > 0 && (
          <li>{t(is_from_pace ? 'sum.pausedPace' : 'sum.paused', { time: formatPause(activity.paused_s, locale) })}</li>
        )}
        {score.minutes < MIN_SCORED_MINUTES && <li>{t('sum.tooShort')}</li>}
        {score.minutes >= MIN_SCORED_MINUTES && score.minutes > score.counted_minutes && <li>{t('sum.capped')}</li>}
        {hasDistance(sport_type) && is_from_pace && <li>{t(`sum.fromPace.${sport_type}`)}</li>}
        {hasDistance(sport_type) && counts_as_easy && <li>{t(`sum.easy.${sport_type}`)}</li>}
        {referee_points !== null && <li>{t('sum.byReferee', { count: referee_points })}</li>}
        {!counts_as_easy && activity.intensity === 'hard' && score.intensity_used !== 'hard' && (
          <li>{t('sum.hardAsModerate')}</li>
        )}
        <li>{t(`sum.sources.${sport_type}`, { rule: score.rule_version })}</li>
        <li>{t('sum.assumption')}</li>
      </ul>
    </div>
  );
}

interface BreakdownRowProps {
  name: string;
  note?: string;
  value: string;
  sign?: string;
  strong?: boolean;
}

function BreakdownRow({ name, note, value, sign, strong = false }: BreakdownRowProps) {
  return (
    <div className={`flex items-baseline gap-2 border-line py-2 ${strong ? 'border-t font-semibold' : ''}`}>
      <span aria-hidden="true" className="w-4 shrink-0 text-center text-ink-faint">
        {sign}
      </span>
      <dt className="flex-1">
        {name} {note && <span className="text-ink-soft">({note})</span>}
      </dt>
      <dd>{value}</dd>
    </div>
  );
}
