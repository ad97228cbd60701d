import { unreadLabel } from '@sendlap/domain/messages.ts';
import { classes } from '../classes.ts';

/** How many wait, for the eye only, 99+ above 99; nothing for none. What it lies on says it in words. */
export function CountBubble({ count, className }: { count: number; className?: string }) {
  const label = unreadLabel(count);
  return (
    label && (
      <span
        aria-hidden="true"
        className={classes(
          'figures inline-grid h-6 min-w-6 shrink-0 place-items-center rounded-full bg-danger px-1.5 text-[0.8125rem] leading-none font-bold text-on-danger',
          className,
        )}
      >
        {label}
      </span>
    )
  );
}
