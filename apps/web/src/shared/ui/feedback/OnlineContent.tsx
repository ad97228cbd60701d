import type { ComponentProps, ReactNode } from 'react';
import { useRetainedFocus } from '../use-retained-focus.ts';
import { ErrorState } from './ErrorState.tsx';
import { LoadingCards } from './LoadingCards.tsx';

interface OnlineContentProps extends Omit<ComponentProps<typeof ErrorState>, 'error'> {
  /** null until loaded. */
  children: ReactNode;
  /** Why it could not be loaded; null while loading. */
  error: Error | null;
}

/** The column of a screen that needs the server: skeletons until it is loaded, or the error. Retains the focus. */
export function OnlineContent({ children, error, ...failure }: OnlineContentProps) {
  const content = useRetainedFocus<HTMLDivElement>();
  return (
    <div ref={content} tabIndex={-1} className="mx-auto flex w-full max-w-[560px] flex-col gap-4 outline-none">
      {children ?? (error ? <ErrorState error={error} {...failure} /> : <LoadingCards />)}
    </div>
  );
}
