import { useTranslation } from 'react-i18next';
import { currentLanguage } from '#web/shared/i18n/i18n.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import type { ActivityView } from './activity-view.ts';
import { SPORT_LOOKS } from './sport-look.ts';
import { formatClock, formatDay, formatMetres, formatMinutes } from './times.ts';
import { useCountUp } from './use-count-up.ts';

interface PointsCardProps {
  activity: ActivityView;
  /** It was confirmed while somebody looked: the points count up. */
  just_now: boolean;
}

/** What an activity is worth: gold once it is validated, in its sport's colour while it only could be. */
export function PointsCard({ activity, just_now }: PointsCardProps) {
  const { t } = useTranslation('activities');
  const validated = activity.status === 'validated';
  const rejected = activity.status === 'rejected';
  const without = rejected ? 'rejected' : validated || activity.potential_points > 0 ? null : 'none';
  const { tone, icon } = SPORT_LOOKS[activity.sport_type];
  const count = useCountUp(validated ? activity.points : activity.potential_points, just_now);
  const surface = tone === 'climb' ? 'bg-climb-tint' : 'bg-swim-tint';
  return (
    <section
      aria-live="polite"
      className={classes(
        'rounded-xl px-5 py-7 text-center',
        validated ? 'bg-gold-tint' : rejected ? 'bg-sunken' : surface,
        just_now && 'anim-rise',
      )}
    >
      <span
        aria-hidden="true"
        className={classes(
          'mx-auto grid size-14 place-items-center rounded-full',
          validated ? 'bg-gold text-on-gold' : rejected ? 'bg-danger-tint text-danger-ink' : 'bg-surface text-ink-soft',
        )}
      >
        <Icon name={validated ? 'shield' : rejected ? 'x' : icon} size={30} />
      </span>
      <p className={classes('figures mt-3 text-[40px] leading-tight font-bold', validated && 'text-gold-ink')}>
        {without ? t(`finished.${without}Title`) : t(validated ? 'finished.points' : 'finished.potential', { count })}
      </p>
      <p className="mt-1 text-ink-soft">
        {t(without ? `finished.${without}Text` : validated ? 'finished.pointsText' : 'finished.potentialText')}
      </p>
      <Facts activity={activity} />
    </section>
  );
}

function Facts({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation('activities');
  const language = currentLanguage();
  const started_at = Date.parse(activity.started_at);
  const facts = [formatDay(started_at, language)];
  if (activity.ended_at !== null) {
    const ended_at = Date.parse(activity.ended_at);
    facts.push(`${formatClock(started_at, language)}–${formatClock(ended_at, language)}`);
    facts.push(formatMinutes(Math.floor((ended_at - started_at) / 60_000), language));
  }
  if (activity.distance_m !== null) facts.push(formatMetres(activity.distance_m, language));
  else if (activity.intensity !== null) facts.push(t(`intensity.${activity.intensity}`));
  return (
    <>
      <p className="mt-5 font-semibold text-balance">{activity.sport_center_name}</p>
      <p className="figures mt-0.5 text-[15px] text-balance text-ink-soft">{facts.join(' · ')}</p>
    </>
  );
}
