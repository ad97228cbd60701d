import { Link } from 'wouter';
import { ApiError, isUnreachable } from '#web/shared/api/errors.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button, buttonClasses } from '#web/shared/ui/Button.tsx';
import { EmptyState } from '#web/shared/ui/EmptyState.tsx';
import { ErrorState } from '#web/shared/ui/ErrorState.tsx';
import { DEVICES_PATH } from './links.ts';

/** Why no code can be drawn here and now, and what to do about it. */
export function CodeProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation(['qr', 'shell']);
  if (error instanceof ApiError && error.backend_error === 'device_limit_reached') return <TooManyDevices />;
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

/** A sixth device gets a key only when another one gives its own up. */
function TooManyDevices() {
  const { t } = useTranslation('qr');
  const action = (
    <Link href={DEVICES_PATH} className={buttonClasses('primary', 'md')}>
      {t('generate.devices.action')}
    </Link>
  );
  return (
    <div className="flex flex-1 flex-col justify-center pb-16">
      <EmptyState icon="device" title={t('generate.devices.title')} text={t('generate.devices.text')} action={action} />
    </div>
  );
}
