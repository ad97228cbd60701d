import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';

/** The next page failed to load; it is retried only on a tap. */
export function LoadMoreFailed({ onRetry, busy }: { onRetry: () => void; busy: boolean }) {
  const { t } = useTranslation('history');
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-surface p-3 pl-4">
      <p className="min-w-0 text-label">{t('moreFailed')}</p>
      <Button kind="secondary" size="sm" icon="sync" busy={busy} onClick={onRetry}>
        {t('retryMore')}
      </Button>
    </div>
  );
}
