import { useState } from 'react';
import { isPositionFailure, type PositionFailure, readDevicePosition, readPermission } from './device-position.ts';
import { searchAroundMe } from './search-store.ts';

export interface Locate {
  /** What the sheet shows: a reason, a failure, or nothing. */
  sheet: 'ask' | PositionFailure | null;
  is_busy: boolean;
  /** A tap on "where am I": explains first, unless that was decided before. */
  begin(): Promise<void>;
  share(): Promise<void>;
  close(): void;
}

/** Finds the device and searches around it. Nothing is asked before the user wanted it. */
export function useLocate(): Locate {
  const [sheet, setSheet] = useState<Locate['sheet']>(null);
  const [isBusy, setBusy] = useState(false);

  async function share(): Promise<void> {
    setBusy(true);
    try {
      searchAroundMe(await readDevicePosition());
      setSheet(null);
    } catch (error) {
      setSheet(isPositionFailure(error) ? error : 'unavailable');
    }
    setBusy(false);
  }

  return {
    sheet,
    is_busy: isBusy,
    async begin() {
      const permission = await readPermission();
      if (permission === 'granted') return share();
      setSheet(permission === 'denied' ? 'denied' : 'ask');
    },
    share,
    close: () => setSheet(null),
  };
}
