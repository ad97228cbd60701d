import { useEffect, useEffectEvent } from 'react';
import { live } from './client.ts';
import type { StreamEvent } from './live.ts';

/** Subscribes to stream events while the component is mounted. */
export function useLiveEvents(onEvent: (event: StreamEvent) => void): void {
  const handleEvent = useEffectEvent(onEvent);
  useEffect(() => live.subscribe((event) => handleEvent(event)), []);
}
