type Work = (lock: object | null) => unknown;

/** Web Locks of one browser. */
export function createLocks(): Pick<LockManager, 'request'> {
  const queues = new Map<string, { held: number; last: Promise<unknown> }>();

  async function request(name: string, ...rest: [Work] | [{ ifAvailable?: boolean }, Work]): Promise<unknown> {
    const work = rest.length === 1 ? rest[0] : rest[1];
    const if_available = rest.length === 2 && rest[0].ifAvailable === true;
    const queue = queues.get(name) ?? { held: 0, last: Promise.resolve() };
    queues.set(name, queue);
    if (if_available && queue.held > 0) return work(null);
    queue.held += 1;
    const result = queue.last
      .then(() => work({ name }))
      .finally(() => {
        queue.held -= 1;
      });
    queue.last = result.catch(() => {});
    return result;
  }

  return { request: request as LockManager['request'] };
}
