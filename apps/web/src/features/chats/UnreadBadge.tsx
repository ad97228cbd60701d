import { unreadLabel } from '@sendlap/domain/messages.ts';
import { classes } from '#web/shared/ui/classes.ts';

interface UnreadBadgeProps {
  count: number;
  className?: string;
}

/** The number of unread messages for the eye, 99+ above 99; nothing for none. What it lies on says it in words. */
export function UnreadBadge({ count, className }: UnreadBadgeProps) {
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
