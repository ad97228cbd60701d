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
  return (
    <Tag role="alert" className="flex flex-1 flex-col items-center justify-center gap-3 p-6 text-center">
      <title>{`${t('error.title')} · Sendlap`}</title>
      <span className="mb-2 grid size-24 place-items-center rounded-full bg-danger-tint text-danger-ink">
        <Icon name="warning" size={44} />
      </span>
      <h1 className="text-title font-bold tracking-tight">{t('error.title')}</h1>
      <p className="max-w-[34ch] text-body text-ink-soft">{t(onRetry ? 'notLoaded' : 'error.text')}</p>
      <div className="mt-5 flex w-full max-w-[360px] flex-col gap-3">
        {onRetry && (
          <Button wide icon="sync" onClick={onRetry}>
            {t('retry')}
          </Button>
        )}
        <Button wide kind={onRetry ? 'secondary' : 'primary'} icon="sync" onClick={() => location.reload()}>
          {t('error.reload')}
        </Button>
        <Button wide kind="secondary" onClick={() => location.assign(PATHS.dashboard)}>
          {t('error.dashboard')}
        </Button>
      </div>
    </Tag>
  );
}
