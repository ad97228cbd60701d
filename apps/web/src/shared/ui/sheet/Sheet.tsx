import type { ReactNode, RefObject } from 'react';
import { lazyPart } from '../feedback/lazy-part.tsx';

export interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** A text under the title. */
  description?: string;
  /** Gets the focus when the sheet closes, if the element that opened the sheet is gone by then. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
  children: ReactNode;
}

/**
 * A dialog that slides up from the bottom on a phone, where a swipe down closes it, and is centered elsewhere. It
 * handles focus, Escape and Back. Its code is a separate chunk, fetched once the first screen with a sheet is shown.
 */
export const Sheet = lazyPart<SheetProps>(() => import('./SheetSurface.tsx').then((module) => module.SheetSurface));
