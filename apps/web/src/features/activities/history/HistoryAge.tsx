import { useOnline } from '#web/shared/device/online.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatAge } from '#web/shared/time/format-age.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

/**
 * Shown while the server can't be reached: says that the data is from this device, and how old it is. `cached_at`: ms
 * epoch.
 */
export function HistoryAge({ cached_at }: { cached_at: number | null }) {
  const { t } = useTranslation('history');
  const locale = useLocale();
  const online = useOnline();
  if (cached_at === null && online) return null;
  return (
    <p className="flex items-start gap-2 px-1 text-label text-ink-soft">
      <Icon name="offline" size={18} className="mt-0.5 shrink-0" />
      {cached_at === null
        ? t('offlineNew')
        : t(online ? 'unreached' : 'offline', { age: formatAge(cached_at, Date.now(), locale) })}
    </p>
  );
}
