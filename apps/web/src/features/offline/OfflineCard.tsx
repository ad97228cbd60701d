import { useEffect, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { reloadOfflineState, useOfflineState } from './offline-store.ts';
import { SavedCities } from './SavedCities.tsx';

/** For the profile: the number of saved cities, with a link to them. */
export function OfflineCard() {
  const { t } = useTranslation('offline');
  const [open, setOpen] = useState(false);
  const { cities } = useOfflineState();
  useEffect(() => void reloadOfflineState(), []);
  const count = cities?.length ?? 0;
  return (
    <Card as="section">
      <h2 className="text-xl font-bold">{t('title')}</h2>
      <p className="mt-1 text-label text-ink-soft">{count > 0 ? t('cities', { count }) : t('none')}</p>
      <Button kind="secondary" size="sm" className="mt-3" onClick={() => setOpen(true)}>
        {t('manage')}
      </Button>
      {open && <SavedCities area={null} onOpenChange={setOpen} />}
    </Card>
  );
}
