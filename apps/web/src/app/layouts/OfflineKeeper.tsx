import { useEffect } from 'react';
import { StorageFullCard } from '#web/features/offline/StorageFullCard.tsx';
import { startOffline } from '#web/features/offline/start-offline.ts';
import { defaultPlace } from '#web/features/sport-centers/search/default-place.ts';
import { deviceTimeZone } from '#web/shared/device/time-zone.ts';
import { currentLanguage } from '#web/shared/i18n/i18n.ts';

/** Keeps this device ready for times without network, and tells when it has no room for that. */
export function OfflineKeeper() {
  useEffect(() => {
    const timeZone = deviceTimeZone();
    // Who has shared no position and looked nowhere yet begins to look there.
    startOffline(() => defaultPlace(timeZone, currentLanguage()));
  }, []);
  return <StorageFullCard />;
}
