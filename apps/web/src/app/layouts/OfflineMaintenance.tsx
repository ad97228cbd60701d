import { useEffect } from 'react';
import { ClockNote } from '#web/features/activities/sync/ClockNote.tsx';
import { hasWaiting } from '#web/features/activities/sync/sync-state.ts';
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
 * Maintains this device's offline copies, and tells the user of a full storage, of work that was not sent for days or
 * that is sent only while the app is open, and of times that were corrected.
 */
export function OfflineMaintenance() {
  useEffect(() => {
    const timeZone = deviceTimeZone();
    // Saves the server's town for the next start; without a network the stored one stays.
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
 * Asks the browser to keep the app's data when the disk is full, once the user has saved work without a network: some
 * browsers then ask the user, who now knows why.
 */
function usePersistence(): void {
  const { ops } = useOutbox();
  // Also behind a portal or on a network that hangs, which the device calls online.
  const is_needed = hasWaiting({ ops, messages: [] }, useOnline());
  useEffect(() => {
    if (!is_needed || deviceStorage.getItem(PERSISTENCE_KEY) !== null) return;
    deviceStorage.setItem(PERSISTENCE_KEY, 'yes');
    void requestPersistentStorage();
  }, [is_needed]);
}
