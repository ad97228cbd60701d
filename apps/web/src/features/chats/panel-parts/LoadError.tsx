import { isUnreachable } from '#web/shared/api/errors.ts';
import { useBackOnline, useOnline } from '#web/shared/device/online.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

interface LoadErrorProps {
  title: string;
  text: string;
  error: unknown;
  onRetry: () => void;
}

/**
 * A failed load: the reason and a Retry button; without a network, that it loads by itself once there is one. Scrolls in
 * a low window, whose panel cuts what does not fit.
 */
export function LoadError({ title, text, error, onRetry }: LoadErrorProps) {
  const { t } = useTranslation('shell');
  const online = useOnline();
  const waits_for_network = isUnreachable(error);
  useBackOnline(() => {
    if (waits_for_network) onRetry();
  });
  if (waits_for_network && !online)
    return (
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <div className="m-auto">
          <EmptyState icon="offline" title={t('loadsOnline.title')} text={t('loadsOnline.text')} />
        </div>
      </div>
    );
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <div role="alert" className="m-auto flex flex-col items-center gap-3 px-6 py-10 text-center">
        <div className="grid size-18 place-items-center rounded-full bg-danger-tint text-danger-ink">
          <Icon name="warning" size={32} />
        </div>
        <h3 className="mt-1 text-xl font-bold">{title}</h3>
        {text !== title && <p className="max-w-[36ch] text-ink-soft">{text}</p>}
        <Button kind="secondary" size="sm" icon="sync" className="mt-2" onClick={onRetry}>
          {t('retry')}
        </Button>
      </div>
    </div>
  );
}

interface RetryBarProps {
  text: string;
  busy?: boolean | undefined;
  className: string;
  onRetry: () => void;
}

/** A bar above or below the messages: a failed load with a Retry button. */
export function RetryBar({ text, busy, className, onRetry }: RetryBarProps) {
  const { t } = useTranslation('shell');
  return (
    <div
      role="alert"
      className={`flex shrink-0 items-center justify-between gap-3 border-line bg-danger-tint pr-2 pl-4 text-label text-danger-ink ${className}`}
    >
      <p>{text}</p>
      <Button kind="secondary" size="sm" icon="sync" busy={busy} onClick={onRetry}>
        {t('retry')}
      </Button>
    </div>
  );
}
