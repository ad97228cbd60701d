import { useOnline } from '#web/shared/device/online.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatAge } from '#web/shared/time/format-age.ts';
import { useNow } from '#web/shared/time/use-now.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

/** Shows how old the displayed copy is; `cached_at`: when it was fetched, ms epoch. */
export function OfflineAge({ cached_at }: { cached_at: number }) {
  const { t } = useTranslation('shell');
  const locale = useLocale();
  const now = useNow(Date.now);
  const online = useOnline();
  return (
    <p className="flex items-center gap-1.5 text-sm text-ink-soft">
      <Icon name="offline" size={18} className="shrink-0" />
      {t(online ? 'unansweredAge' : 'offlineAge', { age: formatAge(cached_at, now, locale) })}
    </p>
  );
}
