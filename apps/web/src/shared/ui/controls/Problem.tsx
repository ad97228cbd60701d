import type { ReactNode } from 'react';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

/** The reason of a failure, right beside the failed action. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <div
      role="alert"
      className="flex items-start gap-2.5 rounded-md bg-danger-tint px-4 py-3 text-label text-danger-ink"
    >
      <Icon name="warning" size={20} className="mt-0.5 shrink-0" />
      <p className="min-w-0 wrap-anywhere">{children}</p>
    </div>
  );
}
