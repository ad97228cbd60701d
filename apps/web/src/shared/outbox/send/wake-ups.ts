import type { Timers } from './sync-status.ts';

/** Delay of sending after the network came back (spec, section 9): the first moments often fail. */
const AFTER_ONLINE_MS = 1_000;

export interface WakeUpDeps extends Timers {
  page: Pick<EventTarget, 'addEventListener'>;
  document: Pick<Document, 'addEventListener' | 'visibilityState'>;
}

/** Calls `kick` whenever there may be a reason to send: the network came back, or the page became visible. */
export function watchForReasons({ page, document, after }: WakeUpDeps, kick: () => void): void {
  let cancel = () => {};
  page.addEventListener('online', () => {
    cancel();
    cancel = after(AFTER_ONLINE_MS, kick);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') kick();
  });
}
