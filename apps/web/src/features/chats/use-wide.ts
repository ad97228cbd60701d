import { useSyncExternalStore } from 'react';

/** As the breakpoint `wide` of the styles. */
const WIDE = '(min-width: 900px)';

function subscribe(listener: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** Whether there is room for the panel beside the screen. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches);
}
