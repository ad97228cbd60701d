import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { cancelSaving } from './city-saver.ts';

/** How far saving has come, and the way out of it. */
export function Saving({ id, name, share }: { id: string; name: string; share: number }) {
  const { t } = useTranslation(['offline', 'shell']);
  const locale = useLocale();
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(share);
  return (
    <div className="mt-2 flex items-center gap-3">
      <div className="min-w-0 flex-1">
        <progress
          aria-label={t('offline:saving', { name })}
          value={share}
          max={1}
          className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
        />
        <p className="text-sm tabular-nums text-ink-soft">{t('offline:saved_share', { percent })}</p>
      </div>
      <Button kind="quiet" size="sm" onClick={() => cancelSaving(id)}>
        {t('shell:cancel')}
      </Button>
    </div>
  );
}
