import { use } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { classes } from '../classes.ts';
import { ListPlace } from '../list-place.ts';
import { Skeleton } from './Skeleton.tsx';

/** The shape of a screen whose code is still loading. */
export function ScreenSkeleton() {
  const { t } = useTranslation('shell');
  const place = use(ListPlace);
  return (
    <div role="status" className={classes('flex flex-1 flex-col px-safe pt-safe', !place && 'vt-screen')}>
      <span className="sr-only">{t('loading')}</span>
      <div className="mx-auto flex w-full max-w-[1120px] flex-col gap-3 pt-5">
        <Skeleton className="h-9 w-40" />
        <Skeleton className="mt-3 h-40 rounded-lg" />
        <Skeleton className="h-20 rounded-lg" />
        <Skeleton className="h-20 rounded-lg" />
      </div>
    </div>
  );
}
