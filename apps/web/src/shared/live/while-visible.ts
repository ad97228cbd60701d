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
    await waitForVisibility('visible', signal, page);
    if (signal.aborted) return;
    const hidden = new AbortController();
    const running = work(AbortSignal.any([signal, hidden.signal])).catch(() => {});
    await waitForVisibility('hidden', signal, page);
    hidden.abort();
    await running;
  }
}

function waitForVisibility(state: DocumentVisibilityState, signal: AbortSignal, page: Visibility): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!signal.aborted && page.visibilityState !== state) return;
      page.removeEventListener('visibilitychange', check);
      signal.removeEventListener('abort', check);
      resolve();
    };
    page.addEventListener('visibilitychange', check);
    signal.addEventListener('abort', check);
    check();
  });
}
