import { useEffect, useEffectEvent, useState } from 'react';
import { readPermission } from '#web/shared/device/device-position.ts';
import { readSearch } from './search-address.ts';
import type { Locate } from './use-locate.ts';

/** Keeps the address of the screen in step with its search, so that a reload and the way back come to the same list. */
export function useSearchAddress(address: string): void {
  useEffect(() => {
    const search = address === '' ? '' : `?${address}`;
    if (location.search !== search) history.replaceState(history.state, '', location.pathname + search);
  }, [address]);
}

/** A list around the device comes back around the device, where nobody has to be asked for its position again. */
export function useNearMeAgain(locate: Locate, is_located: boolean): void {
  const [wasNearMe] = useState(() => readSearch(location.search).near_me && !is_located);
  const begin = useEffectEvent(async () => {
    if ((await readPermission()) === 'granted') await locate.begin();
  });
  useEffect(() => {
    if (wasNearMe) void begin();
  }, [wasNearMe]);
}
