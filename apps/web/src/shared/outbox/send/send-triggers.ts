import type { Timers } from './sync-status.ts';

/** Delay before sending after an `online` event (spec, section 9): requests right after it often fail. */
const DELAY_AFTER_ONLINE_MS = 1_000;

export interface SendTriggerDeps extends Timers {
  page: Pick<EventTarget, 'addEventListener'>;
  document: Pick<Document, 'addEventListener' | 'visibilityState'>;
}

/**
 * Calls `flush` whenever there may be a reason to send: the network came back, the page became visible, or the browser
 * shows it again after it was left.
 */
export function watchSendTriggers({ page, document, schedule }: SendTriggerDeps, flush: () => void): void {
  let cancel = () => {};
  page.addEventListener('online', () => {
    cancel();
    cancel = schedule(DELAY_AFTER_ONLINE_MS, flush);
  });
  page.addEventListener('pageshow', ({ persisted }: PageTransitionEventInit) => persisted && flush());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') flush();
  });
}
