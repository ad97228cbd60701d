import { unreadLabel } from '@sendlap/domain/messages.ts';
import { classes } from '#web/shared/ui/classes.ts';

/** How many wait, for the eye only: what they are is said beside it. Nothing for none. */
export function CountBubble({ count, className }: { count: number; className?: string }) {
  const label = unreadLabel(count);
  if (label === null) return null;
  return (
    <span
      aria-hidden="true"
      className={classes(
        'figures grid h-6 min-w-6 shrink-0 place-items-center rounded-full bg-danger px-1.5 text-[0.8125rem] font-bold text-on-danger',
        className,
      )}
    >
      {label}
    </span>
  );
}
