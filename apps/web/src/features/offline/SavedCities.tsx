import { useEffect } from 'react';
import { Link } from 'wouter';
import { formatBytes } from '#web/shared/i18n/format-bytes.ts';
import { numberFormat } from '#web/shared/i18n/formats.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { sportCenterPath } from '#web/shared/paths.ts';
import { formatAge } from '#web/shared/time/format-age.ts';
import { useNow } from '#web/shared/time/use-now.ts';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { CityRow, NewCity } from './CityRow.tsx';
import { reloadOfflineState, useOfflineState } from './offline-store.ts';
import type { SavableArea } from './savable-area.ts';

interface SavedCitiesProps {
  /** The area on the screen; null if it is not one that can be saved. */
  area: SavableArea | null;
  onOpenChange: (open: boolean) => void;
}

/**
 * The sheet with the area on the screen if it can be saved, then all saved cities, then the other data on this device.
 */
export function SavedCities({ area, onOpenChange }: SavedCitiesProps) {
  const { t } = useTranslation('offline');
  return (
    <Sheet open onOpenChange={onOpenChange} title={t('title')} description={t('why')}>
      <Cities area={area} />
    </Sheet>
  );
}

function Cities({ area }: Pick<SavedCitiesProps, 'area'>) {
  const { t } = useTranslation('offline');
  const { cities } = useOfflineState();
  useEffect(() => void reloadOfflineState(), []);
  if (!cities) return <Skeleton className="h-24 w-full" />;
  const is_listed = cities.some(({ id }) => id === area?.id);
  return (
    <div className="flex flex-col gap-4">
      {area && !is_listed && <NewCity key={area.id} area={area} />}
      {cities.length > 0 ? (
        <section aria-label={t('list')}>
          <h3 className="font-bold">{t('list')}</h3>
          <ul className="mt-1 flex flex-col">
            {cities.map((city) => (
              <CityRow key={city.id} city={city} />
            ))}
          </ul>
        </section>
      ) : (
        !area && <p className="text-ink-soft">{t('none')}</p>
      )}
      <Recommended />
      <OnThisDevice />
    </div>
  );
}

/** The nearby centers, those at which most athletes train first: they open offline too. */
function Recommended() {
  const { t } = useTranslation('offline');
  const { recommended } = useOfflineState();
  if (recommended.length === 0) return null;
  return (
    <section aria-label={t('recommended')}>
      <h3 className="font-bold">{t('recommended')}</h3>
      <ul className="mt-1">
        {recommended.map(({ id, name }) => (
          <li key={id}>
            <Link
              href={sportCenterPath(id)}
              className="pressable flex min-h-12 items-center gap-2 rounded-md py-2 hover:bg-sunken"
            >
              <span className="min-w-0 flex-1 wrap-break-word">{name}</span>
              <Icon name="chevron-right" size={20} className="shrink-0 text-ink-faint" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Totals, including centers and tiles that were cached while browsing. */
function OnThisDevice() {
  const { t } = useTranslation('offline');
  const locale = useLocale();
  const now = useNow(Date.now);
  const { center_count, oldest_at, tile_bytes, last_preload_at } = useOfflineState();
  const formatted = numberFormat(locale).format(center_count);
  return (
    <div className="rounded-md bg-sunken px-4 py-3 text-sm text-ink-soft">
      <p>
        {t('device', {
          centers: t('centers', { count: center_count, formatted }),
          size: formatBytes(tile_bytes, locale),
        })}
      </p>
      {oldest_at !== null && <p>{t('oldest', { age: formatAge(oldest_at, now, locale) })}</p>}
      {last_preload_at !== null && <p>{t('prepared', { age: formatAge(last_preload_at, now, locale) })}</p>}
    </div>
  );
}
