const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('sendlap-cancel-city');

/** Asks the other tabs to stop saving a city. */
export function cancelElsewhere(id: string): void {
  channel?.postMessage(id);
}

/** Hears of the city that another tab wants no longer saved. */
export function onCancelled(listener: (id: string) => void): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<string>) => listener(data));
}
