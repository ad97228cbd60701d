import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Whether the device reports a network. `false` is certain; `true` only means that a request is worth trying. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}

/**
 * Calls the latest `handler` when the network is back after the component was shown without one. A listener of the
 * component's own would miss a network that comes back between its first paint and its effects.
 */
export function useBackOnline(handler: () => void): void {
  const is_online = useOnline();
  const was_offline = useRef(false);
  const handleBack = useEffectEvent(handler);
  useEffect(() => {
    if (is_online && was_offline.current) handleBack();
    was_offline.current = !is_online;
  }, [is_online]);
}
