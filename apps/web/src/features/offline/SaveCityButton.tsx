import { useEffect, useState } from 'react';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { reloadOfflineState, useOfflineState } from './offline-store.ts';
import type { SavablePlace } from './savable-area.ts';
import { SavedCities } from './SavedCities.tsx';

/** Shows whether the place on the screen is saved; opens the sheet of saved cities. */
export function SaveCityButton({ place }: { place: SavablePlace | null }) {
  const { t } = useTranslation('offline');
  const locale = useLocale();
  const [open, setOpen] = useState(false);
  const { cities, running } = useOfflineState();
  useEffect(() => void reloadOfflineState(), []);
  const progress = place ? running[place.id] : undefined;
  const is_saved = cities?.some(({ id, state }) => id === place?.id && state === 'saved') ?? false;
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(progress ?? 0);
  const label = progress !== undefined ? t('button.saving', { percent }) : t(is_saved ? 'button.saved' : 'button.save');
  return (
    <>
      <Button
        kind="secondary"
        size="sm"
        icon={is_saved && progress === undefined ? 'check' : 'download'}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {open && <SavedCities place={place} onOpenChange={setOpen} />}
    </>
  );
}
