type Visibility = Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;

/**
 * Runs the work whenever the page is visible, until `signal` aborts. For browsers without Web Locks: if all tabs read
 * their own stream, they would use up the six connections that a browser has per server.
 */
export async function whileVisible(
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  page: Visibility,
): Promise<void> {
  while (!signal.aborted) {
    await waitFor('visible', signal, page);
    if (signal.aborted) return;
    const looked_at = new AbortController();
    const running = work(AbortSignal.any([signal, looked_at.signal])).catch(() => {});
    await waitFor('hidden', signal, page);
    looked_at.abort();
    await running;
  }
}

function waitFor(state: DocumentVisibilityState, signal: AbortSignal, page: Visibility): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!signal.aborted && page.visibilityState !== state) return;
      page.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    page.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });
}
