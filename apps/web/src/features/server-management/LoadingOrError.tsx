import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';

interface LoadingOrErrorProps {
  /** null while loading. */
  error: Error | null;
  onRetry: () => void;
}

/** In place of what has not been loaded: skeletons, or why it failed. */
export function LoadingOrError({ error, onRetry }: LoadingOrErrorProps) {
  const { t } = useTranslation('server-management');
  if (error)
    return (
      <ErrorState
        title={t('failed')}
        error={error}
        onRetry={onRetry}
        offline={{ title: t('offline.title'), text: t('offline.text') }}
      />
    );
  return (
    <Loading>
      <Skeleton className="h-28 rounded-lg" />
      <Skeleton className="mt-4 h-28 rounded-lg" />
      <Skeleton className="mt-4 h-28 rounded-lg" />
    </Loading>
  );
}
