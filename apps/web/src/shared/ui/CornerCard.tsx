import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { CORNER_ID } from './Corner.tsx';
import { Icon } from './icons/Icon.tsx';
import type { IconName } from './icons/icon-paths.ts';

interface CornerCardProps {
  title: string;
  /** Shown before the title, for a warning. */
  icon?: IconName;
  children: ReactNode;
}

/** A dismissible card above the navigation that asks or tells one thing, wherever it is rendered. */
export function CornerCard({ title, icon, children }: CornerCardProps) {
  const corner = document.getElementById(CORNER_ID);
  const card = (
    <section aria-label={title} className="anim-rise pointer-events-auto mt-3 rounded-xl bg-raised p-5 shadow-high">
      <h2 className="flex items-center gap-2 text-lg font-bold">
        {icon && <Icon name={icon} size={22} className="shrink-0 text-gold-ink" />}
        {title}
      </h2>
      {children}
    </section>
  );
  return corner && createPortal(card, corner);
}
