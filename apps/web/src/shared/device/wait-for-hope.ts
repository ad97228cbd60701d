/** Waits for the delay, or until the network is back, the app becomes visible, or `signal` aborts. */
export function waitForHope(delay_ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const finish = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(finish, delay_ms);
    addEventListener('online', finish, { signal: over.signal });
    document.addEventListener('visibilitychange', finish, { signal: over.signal });
    signal?.addEventListener('abort', finish, { signal: over.signal });
  });
}
