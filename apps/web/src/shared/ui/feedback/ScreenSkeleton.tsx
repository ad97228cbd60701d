import { use } from 'react';
import { classes } from '../classes.ts';
import { ListLayout } from '../list-layout.ts';
import { Loading } from './Loading.tsx';
import { Skeleton } from './Skeleton.tsx';

/** The shape of a screen whose code is still loading. */
export function ScreenSkeleton() {
  const layout = use(ListLayout);
  return (
    <Loading className={classes('flex flex-1 flex-col px-safe pt-safe', !layout && 'vt-screen')}>
      <div className="mx-auto flex w-full max-w-[1120px] flex-col gap-3 pt-5">
        <Skeleton className="h-9 w-40" />
        <Skeleton className="mt-3 h-40 rounded-lg" />
        <Skeleton className="h-20 rounded-lg" />
        <Skeleton className="h-20 rounded-lg" />
      </div>
    </Loading>
  );
}
