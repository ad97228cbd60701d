import { Loading } from './Loading.tsx';
import { Skeleton } from './Skeleton.tsx';

/** Two cards of a screen that are loading. */
export function LoadingCards() {
  return (
    <Loading>
      <Skeleton className="h-44 rounded-lg" />
      <Skeleton className="mt-4 h-44 rounded-lg" />
    </Loading>
  );
}
