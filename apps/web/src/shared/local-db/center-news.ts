/** Where everybody who holds copies of centers in memory hears that those on the disk have changed. */
export const CENTER_CHANNEL = 'sendlap-centers';

/** Many pages that come in a row are told together. */
const PAUSE_MS = 300;

let channel: BroadcastChannel | null = null;
let timer: ReturnType<typeof setTimeout> | null = null;

/** Says, at most every 300 ms, that copies of centers were written or removed. */
export function announceCenters(): void {
  if (timer !== null || typeof BroadcastChannel === 'undefined') return;
  timer = setTimeout(() => {
    timer = null;
    channel ??= new BroadcastChannel(CENTER_CHANNEL);
    channel.postMessage('changed');
  }, PAUSE_MS);
}
