import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import { ApiError, isUnreachable } from '#web/shared/api/errors.ts';
import { useBackOnline, useOnline } from '#web/shared/device/online.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '../controls/Button.tsx';
import { Icon } from '../icons/Icon.tsx';
import { EmptyState } from './EmptyState.tsx';

interface ErrorStateProps {
  /** The failed action, e.g. "Failed to load friends". */
  title: string;
  error: unknown;
  onRetry?: () => void;
  /** Shown if the request failed because the device is offline. Retries once it is online again. */
  offline?: { title: string; text: string };
}

/** Only other people can give these rights, so trying again does not help. */
const RIGHTS: readonly string[] = ['not_an_operator', 'not_a_manager'] satisfies ErrorCode[];

function lacksRight(error: unknown): boolean {
  return error instanceof ApiError && error.backend_error !== null && RIGHTS.includes(error.backend_error);
}

/** The failed action, the reason, and Retry; without a network, that it loads by itself once there is one. */
export function ErrorState({ title, error, onRetry, offline }: ErrorStateProps) {
  const { t } = useTranslation('shell');
  const errorText = useErrorText();
  const online = useOnline();
  const waits_for_network = (offline !== undefined || onRetry !== undefined) && isUnreachable(error);
  useBackOnline(() => {
    if (waits_for_network) onRetry?.();
  });
  if (waits_for_network && !online)
    return <EmptyState icon="offline" title={t('loadsOnline.title')} text={t('loadsOnline.text')} {...offline} />;
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-10 text-center">
      <div className="grid size-18 place-items-center rounded-full bg-danger-tint text-danger-ink">
        <Icon name="warning" size={32} />
      </div>
      <h2 className="mt-1 text-xl font-bold">{title}</h2>
      <p className="max-w-[36ch] text-ink-soft">{errorText(error)}</p>
      {onRetry && !lacksRight(error) && (
        <Button kind="secondary" size="sm" icon="sync" className="mt-2" onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
    </div>
  );
}
