import { locks } from 'node:worker_threads';

type Work = (lock: Lock | null) => unknown;

const never = new Promise<never>(() => {});

function setLocks(value: Pick<LockManager, 'request' | 'query'>): void {
  Object.defineProperty(navigator, 'locks', { value, configurable: true });
}

/**
 * Lends a page the browser's locks. Those that it holds or waits for are free once the returned function is called, and
 * what it still asks for after that it never gets.
 */
export function lendLocks(): () => void {
  const page = new AbortController();
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});

  async function request(name: string, ...rest: [LockOptions, Work] | [Work]): Promise<unknown> {
    const [options, work] = rest.length === 2 ? rest : [{}, rest[0]];
    // The standard knows no signal for a lock that is taken at once or not at all.
    const waits = !options.ifAvailable && !options.steal;
    const signal = options.signal ? AbortSignal.any([options.signal, page.signal]) : page.signal;
    try {
      return await locks.request(name, waits ? { ...options, signal } : options, (lock) =>
        page.signal.aborted ? undefined : Promise.race([work(lock), ended.promise]),
      );
    } catch (error) {
      // A page that is over hears of nothing.
      if (page.signal.aborted) return never;
      throw error;
    }
  }

  const query = () => locks.query();
  setLocks({ request, query });
  return () => {
    page.abort();
    ended.reject(new Error('the page is over'));
    setLocks({ request: () => never, query });
  };
}
