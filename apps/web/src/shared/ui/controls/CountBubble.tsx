import { unreadLabel } from '@sendlap/domain/messages.ts';
import { classes } from '../classes.ts';

/** A visual count, 99+ above 99; renders nothing for 0. The element under it names the count for screen readers. */
export function CountBubble({ count, className }: { count: number; className?: string }) {
  const label = unreadLabel(count);
  return (
    label && (
      <span
        aria-hidden="true"
        className={classes(
          'figures inline-grid h-[1.85em] min-w-[1.85em] shrink-0 place-items-center rounded-full bg-danger px-[0.45em] text-[min(0.8125rem,4.2vw)] leading-none font-bold text-on-danger',
          className,
        )}
      >
        {label}
      </span>
    )
  );
}
