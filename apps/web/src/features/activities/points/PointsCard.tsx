import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { formatDay } from '#web/shared/time/format-day.ts';
import { formatDuration, formatPause } from '#web/shared/time/format-minutes.ts';
import { formatTimeRange } from '#web/shared/time/format-time-range.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { proofIcon } from '#web/shared/ui/icons/proof-icon.ts';
import { useAnimatedCount } from '#web/shared/ui/use-animated-count.ts';
import { useMeasures } from '#web/shared/units/use-measures.ts';
import { type ActivityView, activeMinutesOf } from '../data/activity-view.ts';
import { formatNumber } from '../data/times.ts';
import { isConfirmable } from '../data/week.ts';

interface PointsCardProps {
  activity: ActivityView;
  /** The activity was confirmed while this screen was open: the points count up. */
  just_validated: boolean;
}

/** The points of an activity: gold once it is validated, in its sport's colour while they are only potential. */
export function PointsCard({ activity, just_validated }: PointsCardProps) {
  const { t } = useTranslation('activities');
  const locale = useLocale();
  const validated = activity.status === 'validated';
  const is_turned_down = activity.status === 'rejected' || activity.proof === 'refused';
  const no_points_reason = useNoPointsReason(activity);
  const { tint, icon } = SPORT_LOOKS[activity.sport_type];
  const points = validated ? activity.points : activity.potential_points;
  const counted = useAnimatedCount(points, { from: just_validated ? 0 : points, count_ms: 900 });
  const count = just_validated ? counted : points;
  return (
    <section
      className={classes(
        'rounded-xl px-5 py-7 text-center',
        validated ? 'bg-gold-tint' : is_turned_down ? 'bg-sunken' : tint,
        just_validated && 'anim-rise',
      )}
    >
      <span
        aria-hidden="true"
        className={classes(
          'mx-auto grid size-14 place-items-center rounded-full',
          validated
            ? 'bg-gold text-on-gold'
            : is_turned_down
              ? 'bg-danger-tint text-danger-ink'
              : 'bg-surface text-ink-soft',
        )}
      >
        <Icon name={validated ? proofIcon(activity.validation) : is_turned_down ? 'x' : icon} size={30} />
      </span>
      {no_points_reason ? (
        <p className="mt-3 text-3xl font-bold">{t(`finished.${no_points_reason}Title`)}</p>
      ) : (
        <p className={classes('figures mt-2 font-bold', validated && 'text-gold-ink')}>
          {/* A screen reader is told the end of the count alone. */}
          {just_validated && <span className="sr-only">{formatNumber(points, locale)}</span>}
          <span aria-hidden={just_validated || undefined} className="block text-7xl leading-none">
            {formatNumber(count, locale)}
          </span>{' '}
          <span className="text-xl">{t(validated ? 'finished.points' : 'finished.potential', { count: points })}</span>
        </p>
      )}
      <p className="mt-1.5 text-ink-soft">
        {t(
          no_points_reason
            ? `finished.${no_points_reason}Text`
            : validated
              ? 'finished.pointsText'
              : 'finished.potentialText',
        )}
      </p>
      {activity.rejected_reason && (
        <p className="mt-2 font-medium [overflow-wrap:anywhere]">
          {t('finished.reason', { reason: activity.rejected_reason })}
        </p>
      )}
      <Facts activity={activity} />
    </section>
  );
}

/** Returns why there are no points and none to come; null if there are. */
function useNoPointsReason(activity: ActivityView): 'rejected' | 'refused' | 'none' | 'over' | null {
  const now = useServerNow();
  if (activity.status === 'rejected') return 'rejected';
  if (activity.status === 'validated') return null;
  if (activity.proof === 'refused') return 'refused';
  if (activity.potential_points === 0) return 'none';
  return isConfirmable(activity, now) ? null : 'over';
}

function Facts({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation('activities');
  const locale = useLocale();
  const { swum } = useMeasures();
  const started_at = Date.parse(activity.started_at);
  const ended_at = Date.parse(activity.ended_at ?? activity.started_at);
  const facts = [formatDuration(activeMinutesOf(activity), locale)];
  if (activity.paused_s > 0) facts.push(t('finished.paused', { time: formatPause(activity.paused_s, locale) }));
  if (activity.distance_m !== null) facts.push(swum(activity.distance_m));
  else if (activity.intensity !== null) facts.push(t(`intensity.${activity.intensity}`));
  return (
    <>
      <p className="mt-5 font-semibold text-balance">{activity.sport_center_name}</p>
      <p className="figures mt-0.5 text-label text-ink-soft">
        {formatDay(started_at, locale)} · {formatTimeRange(started_at, ended_at, locale)}
      </p>
      <p className="figures text-label text-ink-soft">{facts.join(' · ')}</p>
    </>
  );
}
