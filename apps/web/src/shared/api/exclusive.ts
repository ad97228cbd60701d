export type RunExclusively = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs one task at a time across all tabs of the browser; only within this tab if the browser has no Web Locks. */
export function createExclusiveRunner(name: string, locks: Pick<LockManager, 'request'> | undefined): RunExclusively {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    if (locks) return await locks.request(name, work);
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
