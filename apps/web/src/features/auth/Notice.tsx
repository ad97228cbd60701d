import type { ReactNode } from 'react';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import type { IconName } from '#web/shared/ui/icon-paths.ts';

/** A sentence above the buttons: what went wrong, or what to know. */
export function Notice({ icon, alert, children }: { icon: IconName; alert?: boolean; children: ReactNode }) {
  return (
    <div
      role={alert ? 'alert' : 'status'}
      className={classes(
        'mb-4 flex items-start gap-2.5 rounded-md px-4 py-3 text-[15px]',
        alert ? 'bg-danger-tint text-danger-ink' : 'bg-accent-tint text-accent-ink',
      )}
    >
      <Icon name={icon} size={20} className="mt-0.5 shrink-0" />
      <p>{children}</p>
    </div>
  );
}
