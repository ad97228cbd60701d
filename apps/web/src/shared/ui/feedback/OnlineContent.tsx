import type { ComponentProps, ReactNode } from 'react';
import { useRetainedFocus } from '../use-retained-focus.ts';
import { ErrorState } from './ErrorState.tsx';
import { LoadingCards } from './LoadingCards.tsx';

interface OnlineContentProps extends Omit<ComponentProps<typeof ErrorState>, 'error' | 'onRetry'> {
  /** null until loaded. */
  children: ReactNode;
  /** Of the content. `error`: why it could not be loaded; null while loading. */
  query: { error: Error | null; refetch: () => unknown };
}

/** The column of a screen that needs the server: skeletons until it is loaded, or the error. Retains the focus. */
export function OnlineContent({ children, query: { error, refetch }, ...failure }: OnlineContentProps) {
  const content = useRetainedFocus<HTMLDivElement>();
  return (
    <div ref={content} tabIndex={-1} className="mx-auto flex w-full max-w-[560px] flex-col gap-4 outline-none">
      {children ??
        (error ? <ErrorState error={error} onRetry={() => void refetch()} {...failure} /> : <LoadingCards />)}
    </div>
  );
}
