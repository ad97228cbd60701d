import { useTranslation } from 'react-i18next';
import { isUnreachable } from '#web/shared/api/errors.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { EmptyState } from '#web/shared/ui/EmptyState.tsx';
import { ErrorState } from '#web/shared/ui/ErrorState.tsx';

/** Why no code can be drawn here and now, and what to do about it. */
export function CodeProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation(['qr', 'shell']);
  const insecure = globalThis.crypto?.subtle === undefined;
  if (!insecure && !isUnreachable(error)) {
    return <ErrorState title={t('generate.failed')} error={error} onRetry={onRetry} />;
  }
  return (
    <div className="flex flex-1 flex-col justify-center pb-16">
      <EmptyState
        icon={insecure ? 'warning' : 'offline'}
        title={t(insecure ? 'generate.insecure.title' : 'generate.noKey.title')}
        text={t(insecure ? 'generate.insecure.text' : 'generate.noKey.text')}
        action={
          <Button kind="secondary" icon="sync" onClick={onRetry}>
            {t('shell:retry')}
          </Button>
        }
      />
    </div>
  );
}
