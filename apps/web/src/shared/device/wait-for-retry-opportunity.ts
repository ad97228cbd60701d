/** Waits for the delay, or until the network is back, the app becomes visible, or `signal` aborts. */
export function waitForRetryOpportunity(delay_ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController();
    const finish = () => {
      clearTimeout(timer);
      done.abort();
      resolve();
    };
    const timer = setTimeout(finish, delay_ms);
    addEventListener('online', finish, { signal: done.signal });
    document.addEventListener('visibilitychange', finish, { signal: done.signal });
    signal?.addEventListener('abort', finish, { signal: done.signal });
  });
}
