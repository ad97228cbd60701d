import { useBackOnline, useOnline } from '#web/shared/device/online.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

/**
 * The generic error screen of the spec. Reload and dashboard both load a new page, as this page's state can't be
 * trusted. With `onRetry` it replaces a screen whose code failed to load, while the rest of the page still works.
 */
export function ErrorScreen({ onRetry }: { onRetry?: () => void }) {
  const Tag = onRetry ? 'div' : 'main';
  const { t } = useTranslation('shell');
  const needs_network = !useOnline() && onRetry !== undefined;
  useBackOnline(() => onRetry?.());
  const title = t(needs_network ? 'opensOnline.title' : 'error.title');
  return (
    <Tag role="alert" className="flex flex-1 flex-col items-center justify-center gap-3 p-6 text-center">
      <title>{`${title} · Sendlap`}</title>
      <span
        className={`mb-2 grid size-24 place-items-center rounded-full ${needs_network ? 'bg-accent-tint text-accent-ink' : 'bg-danger-tint text-danger-ink'}`}
      >
        <Icon name={needs_network ? 'offline' : 'warning'} size={44} />
      </span>
      <h1 className="text-title font-bold tracking-tight">{title}</h1>
      <p className="max-w-[34ch] text-body text-ink-soft">
        {t(needs_network ? 'opensOnline.text' : onRetry ? 'notLoaded' : 'error.text')}
      </p>
      <div className="mt-5 flex w-full max-w-[360px] flex-col gap-3">
        {onRetry && !needs_network && (
          <Button wide icon="sync" onClick={onRetry}>
            {t('retry')}
          </Button>
        )}
        {!needs_network && (
          <Button wide kind={onRetry ? 'secondary' : 'primary'} icon="sync" onClick={() => location.reload()}>
            {t('error.reload')}
          </Button>
        )}
        <Button wide kind="secondary" onClick={() => location.assign(PATHS.dashboard)}>
          {t('error.dashboard')}
        </Button>
      </div>
    </Tag>
  );
}
