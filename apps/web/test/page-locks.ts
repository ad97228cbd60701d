type Work = (lock: Lock | null) => unknown;

/** Lends a page the browser's locks. Those that it holds or waits for are free once the returned function is called. */
export function lendLocks(): () => void {
  const { locks } = navigator;
  const page = new AbortController();
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  const never = new Promise<never>(() => {});

  async function request(name: string, ...rest: [LockOptions, Work] | [Work]): Promise<unknown> {
    const [options, work] = rest.length === 2 ? rest : [{}, rest[0]];
    // The standard knows no signal for a lock that is taken at once or not at all.
    const waits = !options.ifAvailable && !options.steal;
    const signal = options.signal ? AbortSignal.any([options.signal, page.signal]) : page.signal;
    try {
      return await locks.request(name, waits ? { ...options, signal } : options, (lock) =>
        Promise.race([work(lock), ended.promise]),
      );
    } catch (error) {
      // A page that is over hears of nothing.
      if (page.signal.aborted) return never;
      throw error;
    }
  }

  const lent = { request, query: () => locks.query() };
  Object.defineProperty(navigator, 'locks', { value: lent, configurable: true });
  return () => {
    page.abort();
    ended.reject(new Error('the page is over'));
    Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
  };
}
