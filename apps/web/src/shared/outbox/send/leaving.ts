/** The page was left: what it was sending is for another page or the worker to send. */
export class PageLeftError extends Error {}

/**
 * Returns a function for the signal of this visit to the page, which aborts when the page is left. A page that the
 * browser keeps and shows again begins another visit. A kept page is asleep: others would wait for its locks until the
 * browser gives it up, and Chromium (156) then forgets to hand a lock on that more than one waits for. Tests of what
 * imports the outbox may have no page.
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
