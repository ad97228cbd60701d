import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '../controls/Button.tsx';
import { Problem } from '../controls/Problem.tsx';
import type { Retry } from './late.tsx';

/**
 * In the place of a piece whose code did not come: that, and Retry. Where Retry did not help this page may be of a version
 * whose code is nowhere any more; then a new start does.
 */
export function LateFailed({ busy, is_lasting, onRetry }: Retry) {
  const { t } = useTranslation('shell');
  return (
    <div className="flex flex-col gap-3">
      <Problem>{t('notLoaded')}</Problem>
      <Button kind="secondary" size="sm" icon="sync" busy={busy} onClick={onRetry}>
        {t('retry')}
      </Button>
      {is_lasting && (
        <Button kind="quiet" size="sm" onClick={() => location.reload()}>
          {t('error.reload')}
        </Button>
      )}
    </div>
  );
}
