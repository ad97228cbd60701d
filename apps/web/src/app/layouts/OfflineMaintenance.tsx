import { useEffect } from 'react';
import { ClockNote } from '#web/features/activities/sync/ClockNote.tsx';
import { UnsentWarning } from '#web/features/activities/sync/UnsentWarning.tsx';
import { useOpenToSendNote } from '#web/features/activities/sync/use-open-to-send-note.ts';
import { StorageFullCard } from '#web/features/offline/StorageFullCard.tsx';
import { startOffline } from '#web/features/offline/start-offline.ts';
import { defaultCity } from '#web/features/sport-centers/search/default-city.ts';
import { loadServerProfile } from '#web/shared/data/server-profile.ts';
import { deviceStorage } from '#web/shared/device/device-storage.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { deviceTimeZone } from '#web/shared/device/time-zone.ts';
import { currentLanguage } from '#web/shared/i18n/i18n.ts';
import { requestPersistentStorage } from '#web/shared/local-db/copies-bucket.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';

const PERSISTENCE_KEY = 'persistence-requested';

/**
 * Maintains this device's offline copies, and says what its user must know of them: storage that is full, things
 * that were not sent for days, or that are sent only while the app is open, and times that were corrected.
 */
export function OfflineMaintenance() {
  useEffect(() => {
    const timeZone = deviceTimeZone();
    // For the next start; without a network the town of the last one stays.
    loadServerProfile().catch(() => {});
    // The default city of a user who has neither shared a position nor searched anywhere.
    startOffline(() => defaultCity(timeZone, currentLanguage()));
  }, []);
  usePersistence();
  useOpenToSendNote();
  return (
    <>
      <StorageFullCard />
      <UnsentWarning />
      <ClockNote />
    </>
  );
}

/**
 * Asks the browser, at the user's first step without a network, to keep the app's stores when the disk is full. Not
 * before, as some browsers ask the user, who then knows why.
 */
function usePersistence(): void {
  const { ops } = useOutbox();
  const is_needed = !useOnline() && ops.length > 0;
  useEffect(() => {
    if (!is_needed || deviceStorage.getItem(PERSISTENCE_KEY) !== null) return;
    deviceStorage.setItem(PERSISTENCE_KEY, 'yes');
    void requestPersistentStorage();
  }, [is_needed]);
}
