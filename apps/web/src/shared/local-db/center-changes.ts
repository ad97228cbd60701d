import { openTabChannel, type TabChannel } from '#web/shared/lib/tab-channel.ts';

/** On this channel all tabs and workers with copies of centers in memory hear that the copies on disk have changed. */
export const CENTER_CHANNEL = 'sendlap-centers';

/** Batches several pages in a row into one message. */
const BATCH_DELAY_MS = 300;

let channel: TabChannel<'changed'> | null = null;
let timer: ReturnType<typeof setTimeout> | null = null;

/** Notifies them, at most every 300 ms, that copies of centers were written or removed. */
export function notifyCentersChanged(): void {
  if (timer !== null) return;
  timer = setTimeout(() => {
    timer = null;
    channel ??= openTabChannel(CENTER_CHANNEL);
    channel.post('changed');
  }, BATCH_DELAY_MS);
}
