import { useSyncExternalStore } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { storageState } from '#web/shared/local-db/storage-state.ts';
import { CornerCard } from '#web/shared/ui/CornerCard.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';

/** Says once that this device has no room for cached copies or for the app itself, and that everything else works. */
export function StorageFullCard() {
  const { t } = useTranslation('offline');
  const unstored = useSyncExternalStore(storageState.subscribe, storageState.unsavedData);
  if (!unstored) return null;
  return (
    <CornerCard title={t('full.title')} icon="warning">
      <p className="mt-1 text-label text-ink-soft">{t(`full.${unstored}`)}</p>
      <Button size="sm" kind="secondary" className="mt-4" onClick={() => storageState.dismiss()}>
        {t('full.ok')}
      </Button>
    </CornerCard>
  );
}
