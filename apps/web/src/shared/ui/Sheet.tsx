import type { ReactNode, RefObject } from 'react';
import { late } from './late.tsx';

export interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** One line under the title. */
  description?: string;
  /** Takes the focus when what had it before the sheet is gone. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
  children: ReactNode;
}

/**
 * A dialog that comes from below on a phone and stands in the middle elsewhere; focus, Escape and the way back are
 * taken care of. Its code is fetched when it opens for the first time.
 */
export const Sheet = late<SheetProps>(() => import('./SheetSurface.tsx').then((module) => module.SheetSurface));
