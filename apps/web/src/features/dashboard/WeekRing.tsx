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
const OUTLINE = 1.5;
/** Stripes of the whole ring. */
const STRIPES = 90;

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
        {unconfirmed > 0 && <HatchedArc share={(Math.max(0, points) + unconfirmed) / goal} />}
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
            points_over_goal > 0 ? 'text-[min(2rem,18.5cqi)]' : 'text-[min(2.5rem,25.5cqi)]',
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

/** An outlined arc with stripes across it, for unconfirmed points. */
function HatchedArc({ share }: { share: number }) {
  const inside = useId();
  return (
    <>
      <Arc radius={OUTER} share={share} className="stroke-ink-faint" />
      <Arc radius={OUTER} share={share} width={WIDTH - 2 * OUTLINE} className="stroke-surface" />
      <mask id={inside}>
        <Arc radius={OUTER} share={share} width={WIDTH - 2 * OUTLINE} className="stroke-white" />
      </mask>
      <circle
        cx={CENTER}
        cy={CENTER}
        r={OUTER}
        fill="none"
        strokeWidth={WIDTH}
        pathLength={STRIPES}
        strokeDasharray="0.35 0.65"
        mask={`url(#${inside})`}
        className="stroke-ink-faint"
      />
    </>
  );
}

interface ArcProps {
  radius: number;
  share: number;
  width?: number;
  /** Class of the colour. */
  className: string;
}

function Arc({ radius, share, width = WIDTH, className }: ArcProps) {
  const filled = Math.min(1, Math.max(0, share));
  if (filled === 0) return null;
  return (
    <circle
      cx={CENTER}
      cy={CENTER}
      r={radius}
      fill="none"
      strokeWidth={width}
      strokeLinecap="round"
      pathLength={1}
      strokeDasharray={`${filled} 2`}
      className={`transition-[stroke-dasharray] duration-700 ease-out ${className}`}
    />
  );
}
