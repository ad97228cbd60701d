import type { ReactNode } from 'react';
import { Icon } from '../icons/Icon.tsx';
import type { IconName } from '../icons/icon-paths.ts';

interface EmptyStateProps {
  icon: IconName;
  title: string;
  /** How the user can add content. */
  text: string;
  action?: ReactNode;
}

/** An empty list or screen, and how to fill it. */
export function EmptyState({ icon, title, text, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-12 text-center">
      <div className="grid size-18 place-items-center rounded-full bg-accent-tint text-accent-ink">
        <Icon name={icon} size={32} />
      </div>
      <h2 className="mt-1 text-xl font-bold">{title}</h2>
      <p className="max-w-[34ch] text-ink-soft">{text}</p>
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}
