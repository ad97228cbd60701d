import { classes } from '#web/shared/ui/classes.ts';
import { Medal } from './Medal.tsx';
import { ProgressBar } from './ProgressBar.tsx';
import type { BadgeCopy } from './queries.ts';
import { hasProgress, useBadgeText } from './use-badge-text.ts';

interface BadgeTileProps {
  badge: BadgeCopy;
  onOpen: () => void;
}

/** A badge on the shelf: gold with its date, or grey with what is missing. */
export function BadgeTile({ badge, onOpen }: BadgeTileProps) {
  const text = useBadgeText();
  const { id, earned_at, progress, goal } = badge;
  return (
    <button
      type="button"
      onClick={onOpen}
      className="pressable flex h-full w-full flex-col items-center rounded-lg bg-surface px-2 pt-4 pb-3 text-center"
    >
      <Medal id={id} earned={earned_at !== null} />
      <span className={classes('mt-2 text-[0.9375rem] leading-tight font-semibold', !earned_at && 'text-ink-soft')}>
        {text.name(id)}
      </span>
      <span className="figures mt-1 mb-2 text-[0.8125rem] leading-tight text-ink-soft">
        {earned_at ? text.earnedShort(earned_at) : hasProgress(id) && text.missing(badge)}
      </span>
      {!earned_at && hasProgress(id) && (
        <span className="mt-auto block w-full max-w-24 px-1">
          <ProgressBar progress={progress} goal={goal} />
        </span>
      )}
    </button>
  );
}
