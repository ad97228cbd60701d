/** The page was left: another page, the worker or its next visit sends the rest. */
export class PageLeftError extends Error {}

/**
 * Returns a function that returns the signal of the current visit, which aborts when the page is left. A page that the
 * browser keeps and shows again begins another visit: asleep it would keep its locks, and if two pages wait for one,
 * Chromium (156) may give it to neither. `page`: undefined in tests that only import the outbox.
 */
export function watchLeaving(page: Pick<EventTarget, 'addEventListener'> | undefined): () => AbortSignal {
  let visit = new AbortController();
  page?.addEventListener('pagehide', () => visit.abort(new PageLeftError()));
  page?.addEventListener('pageshow', () => {
    if (visit.signal.aborted) visit = new AbortController();
  });
  return () => visit.signal;
}

/** Runs the work; rejects as soon as the signal aborts, whatever the work is waiting for. */
export async function untilLeft<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  signal.throwIfAborted();
  const { promise: left, reject } = Promise.withResolvers<never>();
  const leave = () => reject(signal.reason);
  signal.addEventListener('abort', leave);
  try {
    return await Promise.race([work(), left]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
