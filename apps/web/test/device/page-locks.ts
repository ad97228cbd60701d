import { locks } from 'node:worker_threads';

type Work = (lock: Lock | null) => unknown;

const never = new Promise<never>(() => {});

function setLocks(value: Pick<LockManager, 'request' | 'query'>): void {
  Object.defineProperty(navigator, 'locks', { value, configurable: true });
}

/**
 * Lends a page the browser's locks. The returned function frees those it holds or waits for; later requests of the page
 * never get a lock.
 */
export function lendLocks(): () => void {
  const page = new AbortController();
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});

  async function request(name: string, ...rest: [LockOptions, Work] | [Work]): Promise<unknown> {
    const [options, work] = rest.length === 2 ? rest : [{}, rest[0]];
    // The standard allows no signal with `ifAvailable` or `steal`.
    const waits = !options.ifAvailable && !options.steal;
    const signal = options.signal ? AbortSignal.any([options.signal, page.signal]) : page.signal;
    try {
      return await locks.request(name, waits ? { ...options, signal } : options, (lock) =>
        page.signal.aborted ? undefined : Promise.race([work(lock), ended.promise]),
      );
    } catch (error) {
      // A page that has ended gets no more answers.
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
