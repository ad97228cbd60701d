import type { ReactNode } from 'react';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

/** Why it did not work, right where it was tried. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <div
      role="alert"
      className="flex items-start gap-2.5 rounded-md bg-danger-tint px-4 py-3 text-[0.9375rem] text-danger-ink"
    >
      <Icon name="warning" size={20} className="mt-0.5 shrink-0" />
      <p>{children}</p>
    </div>
  );
}
