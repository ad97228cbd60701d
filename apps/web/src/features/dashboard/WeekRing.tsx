import { WEEKLY_GOAL_POINTS, WEEKLY_STRETCH_POINTS } from '@sendlap/domain/scoring.ts';
import { useId } from 'react';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { classes } from '#web/shared/ui/classes.ts';

const SIZE = 168;
const CENTER = SIZE / 2;
const OUTER = 74;
const INNER = 58;
const WIDTH = 12;
const HATCH = 6;
const HATCH_LINE = 2;

interface WeekRingProps {
  /** Validated points of this week. */
  points: number;
  /** Points of activities without a proof, which count nowhere. */
  unconfirmed: number;
}

/**
 * The weekly goal as a ring: gold for validated points, hatched for unconfirmed ones; the inner ring shows the second
 * 600.
 */
export function WeekRing({ points, unconfirmed }: WeekRingProps) {
  const { t } = useTranslation('dashboard');
  const locale = useLocale();
  const hatching = useId();
  const goal = WEEKLY_GOAL_POINTS;
  const points_over_goal = Math.max(0, points - goal);
  return (
    // The text grows with the user's font size only as far as the ring does.
    <div
      className="@container relative w-[clamp(8.25rem,40vw,10.5rem)] max-w-full shrink-0"
      role="img"
      aria-label={t(unconfirmed > 0 ? 'week.ringUnconfirmed' : 'week.ring', { points, goal, unconfirmed })}
    >
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} className="w-full -rotate-90" aria-hidden="true">
        <Arc radius={OUTER} share={1} className="stroke-sunken" />
        <Hatching id={hatching} />
        <Arc radius={OUTER} share={(Math.max(0, points) + unconfirmed) / goal} stroke={`url(#${hatching})`} />
        <Arc radius={OUTER} share={points / goal} className="stroke-gold" />
        {points_over_goal > 0 && (
          <>
            <Arc radius={INNER} share={1} className="stroke-sunken" />
            <Arc radius={INNER} share={points_over_goal / (WEEKLY_STRETCH_POINTS - goal)} className="stroke-gold" />
          </>
        )}
      </svg>
      <div aria-hidden="true" className="figures absolute inset-0 grid place-content-center text-center leading-none">
        <span
          className={classes(
            'font-extrabold',
            points_over_goal > 0 ? 'text-[min(2.5rem,23cqi)]' : 'text-[min(2.5rem,25.5cqi)]',
          )}
        >
          {points.toLocaleString(locale)}
        </span>
        {unconfirmed > 0 && (
          <span className="mt-1 text-[min(1.125rem,12cqi)] font-bold text-ink-soft">
            +{unconfirmed.toLocaleString(locale)}
          </span>
        )}
        <span className="mt-1 text-[min(0.875rem,11cqi)] text-ink-soft">{t('week.ofGoal', { goal })}</span>
      </div>
    </div>
  );
}

/** Stripes as a paint, for what is recorded and not confirmed. */
function Hatching({ id }: { id: string }) {
  return (
    <pattern id={id} width={HATCH} height={HATCH} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width={HATCH} height={HATCH} className="fill-surface" />
      <rect width={HATCH_LINE} height={HATCH} className="fill-ink-faint" />
    </pattern>
  );
}

interface ArcProps {
  radius: number;
  share: number;
  /** Classes of the colour. */
  className?: string;
  /** A paint instead of a colour. */
  stroke?: string;
}

function Arc({ radius, share, className = '', stroke }: ArcProps) {
  const filled = Math.min(1, Math.max(0, share));
  if (filled === 0) return null;
  return (
    <circle
      cx={CENTER}
      cy={CENTER}
      r={radius}
      fill="none"
      strokeWidth={WIDTH}
      strokeLinecap="round"
      pathLength={1}
      stroke={stroke}
      strokeDasharray={`${filled} 2`}
      className={`transition-[stroke-dasharray] duration-700 ease-out ${className}`}
    />
  );
}
