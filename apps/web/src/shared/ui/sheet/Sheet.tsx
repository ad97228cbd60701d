import type { ReactNode, RefObject } from 'react';
import { late } from '../feedback/late.tsx';

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
 * A dialog that comes from below on a phone, where a swipe down closes it, and stands in the middle elsewhere. It takes
 * care of focus, Escape and the way back. Its code is a chunk of its own, fetched beside the first screen that has one.
 */
export const Sheet = late<SheetProps>(() => import('./SheetSurface.tsx').then((module) => module.SheetSurface));
