import { lazy, type ReactNode, Suspense } from 'react';

export interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** One line under the title. */
  description?: string;
  children: ReactNode;
}

const SheetSurface = lazy(() => import('./SheetSurface.tsx').then((module) => ({ default: module.SheetSurface })));

/**
 * A dialog that comes from below on a phone and stands in the middle elsewhere; focus, Escape and the way back are
 * taken care of. Its code is fetched when it opens for the first time.
 */
export function Sheet(props: SheetProps) {
  return (
    <Suspense fallback={null}>
      <SheetSurface {...props} />
    </Suspense>
  );
}
