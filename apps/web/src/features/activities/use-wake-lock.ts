import { useEffect } from 'react';

/** Keeps the screen lit while `active`. A browser that can't, or a phone that saves power, goes dark as usual. */
export function useWakeLock(active: boolean): void {
  useEffect(() => {
    if (!active || !('wakeLock' in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let wanted = true;
    const acquire = () => {
      // Browsers take the lock away from hidden pages and never give it back by themselves.
      if (document.visibilityState !== 'visible') return;
      navigator.wakeLock.request('screen').then(
        (held) => {
          if (!wanted) return void held.release();
          lock = held;
        },
        () => {},
      );
    };
    acquire();
    document.addEventListener('visibilitychange', acquire);
    return () => {
      wanted = false;
      document.removeEventListener('visibilitychange', acquire);
      void lock?.release();
    };
  }, [active]);
}
