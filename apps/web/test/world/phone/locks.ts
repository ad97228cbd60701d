import type { PageLife } from './page-life.ts';

type Work = (lock: object | null) => unknown;
export type Locks = Pick<LockManager, 'request'>;

/** Web Locks of one browser. */
export function createLocks() {
  const queues = new Map<string, { held: number; last: Promise<unknown> }>();

  function queueOf(name: string) {
    const queue = queues.get(name) ?? { held: 0, last: Promise.resolve() };
    queues.set(name, queue);
    return queue;
  }

  return {
    /** As one page has them: what it holds or waits for ends with it. */
    openFor(life: PageLife): Locks {
      async function request(name: string, ...rest: [Work] | [{ ifAvailable?: boolean }, Work]): Promise<unknown> {
        const work = rest.length === 1 ? rest[0] : rest[1];
        const if_available = rest.length === 2 && rest[0].ifAvailable === true;
        const queue = queueOf(name);
        if (if_available && queue.held > 0) return work(null);
        queue.held += 1;
        const turn = queue.last
          .then(() => (life.is_alive ? Promise.race([work({ name }), life.ended]) : undefined))
          .finally(() => {
            queue.held -= 1;
          });
        queue.last = turn.catch(() => {});
        return life.guard(() => turn);
      }

      return { request: request as LockManager['request'] };
    },
  };
}
