import type { ReactNode } from 'react';
import { classes } from '#web/shared/ui/classes.ts';
import type { FIRST_ICONS } from '#web/shared/ui/first-icons.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';

interface NoticeProps {
  /** One of those that come before the app's other code. */
  icon: keyof typeof FIRST_ICONS;
  alert?: boolean;
  /** Stands among others that keep their own distance. */
  flush?: boolean;
  children: ReactNode;
}

/** A sentence above the buttons: what went wrong, or what to know. */
export function Notice({ icon, alert, flush, children }: NoticeProps) {
  return (
    <div
      role={alert ? 'alert' : 'status'}
      className={classes(
        'flex items-start gap-2.5 rounded-md px-4 py-3 text-[0.9375rem]',
        !flush && 'mb-4',
        alert ? 'bg-danger-tint text-danger-ink' : 'bg-accent-tint text-accent-ink',
      )}
    >
      <Icon name={icon} size={20} className="mt-0.5 shrink-0" />
      <p>{children}</p>
    </div>
  );
}
