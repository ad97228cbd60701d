import { useState } from 'react';
import { useOnline } from '#web/shared/device/online.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import type { SavedCity } from '#web/shared/local-db/schema.ts';
import { formatAge } from '#web/shared/ui/format-age.ts';
import { IconButton } from '#web/shared/ui/IconButton.tsx';
import { useNow } from '#web/shared/ui/use-now.ts';
import { removeSavedCity, startSaving } from './city-saver.ts';
import { formatBytes } from './format-bytes.ts';
import { useOfflineState } from './offline-store.ts';
import { Saving } from './Saving.tsx';
import { SavingProblem } from './SavingProblem.tsx';
import { usePlaceName } from './use-place-name.ts';

/** A saved city: how much, how old, and the ways to refresh and to remove it. */
export function CityRow({ city }: { city: SavedCity }) {
  const { t } = useTranslation('offline');
  const [is_leaving, setLeaving] = useState(false);
  const { running, failed } = useOfflineState();
  const online = useOnline();
  const nameOf = usePlaceName();
  const { name, country } = nameOf(city);
  const share = running[city.id];
  const problem = failed[city.id];

  const remove = () => {
    setLeaving(true);
    void removeSavedCity(city.id).finally(() => setLeaving(false));
  };
  return (
    <li className="border-b border-line py-3 last:border-0">
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <p className="font-semibold">
            {name}
            {country && <span className="font-normal text-ink-soft"> · {country}</span>}
          </p>
          <Facts city={city} />
        </div>
        {share === undefined && online && (
          <IconButton icon="sync" label={t('refresh', { name })} onClick={() => void startSaving(city)} />
        )}
        <IconButton icon="trash" label={t('remove', { name })} disabled={is_leaving} onClick={remove} />
      </div>
      {share !== undefined && <Saving id={city.id} name={name} share={share} />}
      {share === undefined && problem && <SavingProblem reason={problem} />}
      {share === undefined && city.state === 'saving' && !problem && (
        <p className="mt-1 text-sm text-ink-soft">{t('incomplete')}</p>
      )}
    </li>
  );
}

function Facts({ city }: { city: SavedCity }) {
  const { t } = useTranslation('offline');
  const locale = useLocale();
  const now = useNow(Date.now);
  if (city.saved_at === null) return null;
  const formatted = new Intl.NumberFormat(locale).format(city.center_count);
  return (
    <>
      <p className="text-sm text-ink-soft">
        {t('facts', {
          centers: t('centers', { count: city.center_count, formatted }),
          size: formatBytes(city.bytes, locale),
          age: formatAge(city.saved_at, now, locale),
        })}
      </p>
      {city.is_trimmed && <p className="text-sm text-ink-faint">{t('trimmed')}</p>}
    </>
  );
}
