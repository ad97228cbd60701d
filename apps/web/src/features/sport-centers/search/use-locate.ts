import { useEffect, useState } from 'react';
import { readDevicePosition, readPermission } from '#web/shared/data/device-position.ts';
import { createLocateFlow, type LocateFlow, type LocatePrompt, type LocateState } from './locate-flow.ts';
import { searchAroundMe } from './search-store.ts';

export interface Locate extends LocateFlow {
  sheet: LocatePrompt;
  is_busy: boolean;
}

/** Finds the device and searches around it. Nothing is asked before the user wanted it. */
export function useLocate(): Locate {
  const [{ prompt, is_busy }, setState] = useState<LocateState>({ prompt: null, is_busy: false });
  const [flow] = useState(() =>
    createLocateFlow({
      readPermission,
      readPosition: (signal) => readDevicePosition(undefined, signal),
      onFound: searchAroundMe,
      onChange: setState,
    }),
  );
  // Who has left the screen, or signed out, does not wait for it any more.
  useEffect(() => flow.close, [flow]);
  return { ...flow, sheet: prompt, is_busy };
}
