import type { ReactNode } from 'react';
import type { FIRST_ICONS } from '#web/shared/ui/icons/first-icons.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

interface NoticeProps {
  /** An icon that is in the first bundle. */
  icon: keyof typeof FIRST_ICONS;
  children: ReactNode;
}

/** A one-sentence notice above the buttons. */
export function Notice({ icon, children }: NoticeProps) {
  return (
    <div
      role="status"
      className="mb-4 flex items-start gap-2.5 rounded-md bg-accent-tint px-4 py-3 text-label text-accent-ink"
    >
      <Icon name={icon} size={20} className="mt-0.5 shrink-0" />
      <p className="min-w-0 wrap-anywhere">{children}</p>
    </div>
  );
}
