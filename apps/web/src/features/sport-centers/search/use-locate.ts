import { useEffect, useState } from 'react';
import { readDevicePosition, readPermission } from '#web/shared/data/device-position.ts';
import { createLocateFlow, type LocateFlow, type LocatePrompt, type LocateState } from './locate-flow.ts';
import { searchAroundMe } from './search-store.ts';

export interface LocateController extends LocateFlow {
  sheet: LocatePrompt;
  is_busy: boolean;
}

/** Locates the device and searches around it. Shows no prompt before the user asks for it. */
export function useLocate(): LocateController {
  const [{ prompt, is_busy }, setState] = useState<LocateState>({ prompt: null, is_busy: false });
  const [flow] = useState(() =>
    createLocateFlow({
      readPermission,
      readPosition: (signal) => readDevicePosition(undefined, signal),
      onFound: searchAroundMe,
      onChange: setState,
    }),
  );
  // Drops a pending result when the user leaves the screen or signs out.
  useEffect(() => flow.close, [flow]);
  return { ...flow, sheet: prompt, is_busy };
}
