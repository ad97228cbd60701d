import { useEffect, useState } from 'react';
import { numberFormat } from '#web/shared/i18n/formats.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { reloadOfflineState, useOfflineState } from './offline-store.ts';
import { SavedCities } from './SavedCities.tsx';
import type { SavableArea } from './savable-area.ts';

/** Shows whether the area on the screen is saved; opens the sheet of saved cities. */
export function SaveCityButton({ area }: { area: SavableArea | null }) {
  const { t } = useTranslation('offline');
  const locale = useLocale();
  const [open, setOpen] = useState(false);
  const { cities, running } = useOfflineState();
  useEffect(() => void reloadOfflineState(), []);
  const progress = area ? running[area.id] : undefined;
  const is_saved = cities?.some(({ id, state }) => id === area?.id && state === 'saved') ?? false;
  const percent = numberFormat(locale, { style: 'percent' }).format(progress ?? 0);
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
      {open && <SavedCities area={area} onOpenChange={setOpen} />}
    </>
  );
}
