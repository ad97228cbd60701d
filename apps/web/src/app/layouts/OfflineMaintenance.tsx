import { useEffect } from 'react';
import { StorageFullCard } from '#web/features/offline/StorageFullCard.tsx';
import { startOffline } from '#web/features/offline/start-offline.ts';
import { defaultCity } from '#web/features/sport-centers/search/default-city.ts';
import { loadServerProfile } from '#web/shared/data/server-profile.ts';
import { deviceTimeZone } from '#web/shared/device/time-zone.ts';
import { currentLanguage } from '#web/shared/i18n/i18n.ts';

/** Maintains this device's offline copies, and warns when storage is full. */
export function OfflineMaintenance() {
  useEffect(() => {
    const timeZone = deviceTimeZone();
    // For the next start; without a network the town of the last one stays.
    loadServerProfile().catch(() => {});
    // The default city of a user who has neither shared a position nor searched anywhere.
    startOffline(() => defaultCity(timeZone, currentLanguage()));
  }, []);
  return <StorageFullCard />;
}
