import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '../controls/Button.tsx';
import { Problem } from '../controls/Problem.tsx';
import type { RetryProps } from './lazy-part.tsx';

/**
 * Replaces a component whose code failed to load, with Retry. If Retry fails too, this page may be of a version whose
 * code no longer exists; then it offers a reload.
 */
export function LoadFailed({ busy, has_failed_again, onRetry }: RetryProps) {
  const { t } = useTranslation('shell');
  return (
    <div className="flex flex-col gap-3">
      <Problem>{t('notLoaded')}</Problem>
      <Button kind="secondary" size="sm" icon="sync" busy={busy} onClick={onRetry}>
        {t('retry')}
      </Button>
      {has_failed_again && (
        <Button kind="quiet" size="sm" onClick={() => location.reload()}>
          {t('error.reload')}
        </Button>
      )}
    </div>
  );
}
