import { useSyncExternalStore } from 'react';

/** The same value as the styles' breakpoint `wide`. */
const WIDE = '(min-width: 900px)';

function subscribe(listener: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** Whether the window has room for a part beside the screen. */
export function isWide(): boolean {
  return matchMedia(WIDE).matches;
}

/** As `isWide`, also after the window has changed. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, isWide);
}
