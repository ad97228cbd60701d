import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';

/** Placeholder rows: an avatar and two lines of text. */
export function RowSkeletons() {
  return (
    <Loading className="flex flex-col gap-5 p-4">
      {['w-2/3', 'w-1/2', 'w-3/5', 'w-2/5'].map((width) => (
        <div key={width} className="flex items-center gap-3">
          <Skeleton className="size-12 shrink-0 rounded-full" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-4 w-1/3" />
            <Skeleton className={`h-4 ${width}`} />
          </div>
        </div>
      ))}
    </Loading>
  );
}
