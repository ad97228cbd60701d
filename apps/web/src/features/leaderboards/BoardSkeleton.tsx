import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Skeleton } from '#web/shared/ui/Skeleton.tsx';

/** The shape of a board whose rows are on their way. */
export function BoardSkeleton() {
  const { t } = useTranslation('shell');
  return (
    <div role="status" aria-label={t('loading')} className="flex flex-col gap-4">
      <div className="mx-auto flex w-full max-w-[520px] items-end justify-center gap-2">
        <Skeleton className="h-40 max-w-44 flex-1 rounded-lg" />
        <Skeleton className="h-52 max-w-44 flex-1 rounded-lg" />
        <Skeleton className="h-35 max-w-44 flex-1 rounded-lg" />
      </div>
      <div className="flex flex-col gap-1.5">
        <Skeleton className="h-16 rounded-lg" />
        <Skeleton className="h-16 rounded-lg" />
        <Skeleton className="h-16 rounded-lg" />
      </div>
    </div>
  );
}
