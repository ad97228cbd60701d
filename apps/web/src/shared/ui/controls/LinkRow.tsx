import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Icon } from '../icons/Icon.tsx';
import type { IconName } from '../icons/icon-paths.ts';

interface LinkRowProps {
  href: string;
  icon: IconName;
  title: string;
  text: string;
  /** Class of the surface; by default it is a row of a card. */
  className?: string;
  /** Content before the arrow. */
  children?: ReactNode;
}

/** A row that links to another screen. */
export function LinkRow({ href, icon, title, text, className = 'hover:bg-sunken', children }: LinkRowProps) {
  return (
    <Link href={href} className={`pressable @container block rounded-lg ${className}`}>
      <span className="flex min-h-18 items-center gap-x-3.5 gap-y-1 px-4 py-3 @max-3xs:flex-wrap">
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-accent-tint text-accent-ink">
          <Icon name={icon} size={22} />
        </span>
        <span className="min-w-0 flex-1 wrap-break-word @max-3xs:order-last @max-3xs:basis-full">
          <span className="block font-semibold">{title}</span>
          <span className="block text-sm text-ink-faint">{text}</span>
        </span>
        {children}
        <Icon name="chevron-right" size={20} className="shrink-0 text-ink-faint @max-3xs:ml-auto" />
      </span>
    </Link>
  );
}
