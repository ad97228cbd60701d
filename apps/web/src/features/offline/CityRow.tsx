import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { countryName } from '#web/shared/data/town-names.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { formatBytes } from '#web/shared/i18n/format-bytes.ts';
import { numberFormat } from '#web/shared/i18n/formats.ts';
import { useLanguage, useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import type { SavedCity } from '#web/shared/local-db/schema.ts';
import { formatAge } from '#web/shared/time/format-age.ts';
import { useNow } from '#web/shared/time/use-now.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { IconButton } from '#web/shared/ui/controls/IconButton.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { cancelSaving, estimateCity, removeSavedCity, startSaving } from './city-saver.ts';
import { useOfflineState } from './offline-store.ts';
import { isMapArea, type SavableArea } from './savable-area.ts';

/** A saved city: its size, its age, and the buttons to refresh or remove it. */
export function CityRow({ city }: { city: SavedCity }) {
  const { t } = useTranslation('offline');
  const [is_removing, setRemoving] = useState(false);
  const { running, failed } = useOfflineState();
  const online = useOnline();
  const { name, country } = useAreaName(city);
  const progress = running[city.id];
  const problem = failed[city.id];

  const remove = () => {
    setRemoving(true);
    void removeSavedCity(city.id).finally(() => setRemoving(false));
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
        {progress === undefined && online && (
          <IconButton icon="sync" label={t('refresh', { name })} onClick={() => void startSaving(city)} />
        )}
        <IconButton icon="trash" label={t('remove', { name })} disabled={is_removing} onClick={remove} />
      </div>
      {progress !== undefined && <SavingProgress id={city.id} name={name} progress={progress} />}
      {progress === undefined && problem && (
        <div className="mt-2">
          <Problem>{t(`problem.${problem}`)}</Problem>
        </div>
      )}
      {progress === undefined && city.state === 'saving' && !problem && (
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
  const formatted = numberFormat(locale).format(city.center_count);
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

/** Offers to save the area on the screen, with an estimate of its size; then shows the progress. */
export function NewCity({ area }: { area: SavableArea }) {
  const { t } = useTranslation('offline');
  const { running, failed } = useOfflineState();
  const progress = running[area.id];
  const problem = failed[area.id];
  const { name, country } = useAreaName(area);
  return (
    <Card tone="accent">
      <h3 className="text-lg font-bold">{name}</h3>
      {country && <p className="text-sm text-ink-soft">{country}</p>}
      {progress === undefined ? (
        <>
          <Estimate area={area} />
          {problem && (
            <div className="mt-2">
              <Problem>{t(`problem.${problem}`)}</Problem>
            </div>
          )}
          <NetworkButton wide size="sm" icon="download" className="mt-3" onClick={() => void startSaving(area)}>
            {t('save')}
          </NetworkButton>
        </>
      ) : (
        <SavingProgress id={area.id} name={name} progress={progress} />
      )}
    </Card>
  );
}

function Estimate({ area }: { area: SavableArea }) {
  const { t } = useTranslation('offline');
  const locale = useLocale();
  const online = useOnline();
  const { data: estimate } = useQuery({
    queryKey: ['offline', 'estimate', area.id],
    queryFn: ({ signal }) => estimateCity(area, signal),
    enabled: online,
  });
  const formatted = `${numberFormat(locale).format(estimate?.centers ?? 0)}${estimate?.is_lower_bound ? '+' : ''}`;
  return (
    <p className="mt-1 min-h-6 text-label text-ink-soft" aria-live="polite">
      {estimate &&
        t(estimate.is_lower_bound ? 'estimateAtLeast' : 'estimate', {
          centers: t('centers', { count: estimate.centers, formatted }),
          size: formatBytes(estimate.bytes, locale),
        })}
    </p>
  );
}

/** The progress of saving, and the button to cancel it. */
function SavingProgress({ id, name, progress }: { id: string; name: string; progress: number }) {
  const { t } = useTranslation(['offline', 'shell']);
  const locale = useLocale();
  const percent = numberFormat(locale, { style: 'percent' }).format(progress);
  return (
    <div className="mt-2 flex items-center gap-3">
      <div className="min-w-0 flex-1">
        <progress
          aria-label={t('offline:saving', { name })}
          value={progress}
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

/** An area's name in the app's language, and its country. */
function useAreaName(area: Pick<SavableArea, 'id' | 'name' | 'name_es' | 'country'>) {
  const { t } = useTranslation('offline');
  const language = useLanguage();
  const known = (language === 'es' ? area.name_es : null) ?? area.name;
  if (!isMapArea(area)) return { name: known ?? area.id, country: countryName(area.country, language) };
  return { name: known ? t('areaAround', { name: known }) : t('area'), country: null };
}
