import type { Network } from './network.ts';

/** What a page can do until it dies. */
export interface PageLife {
  is_alive: boolean;
  ended: Promise<void>;
  guard: <Value>(work: () => Promise<Value>) => Promise<Value>;
  fetch: (path: string, init: RequestInit) => Promise<Response>;
}

/** What a page waits for; after its end nothing of it goes on. */
export function createPageLife(network: Network) {
  const never = new Promise<never>(() => {});
  const { promise: ended, resolve: tellEnded } = Promise.withResolvers<void>();
  const isHeard = () => life.is_alive;

  async function guard<Value>(work: () => Promise<Value>): Promise<Value> {
    if (!life.is_alive) return never;
    try {
      return await work();
    } finally {
      if (!life.is_alive) await never;
    }
  }

  const life: PageLife = {
    is_alive: true,
    ended,
    guard,
    fetch: (path, init) => guard(() => network.send(init, { path, is_unanswered: false, is_given_up: false, isHeard })),
  };
  return {
    life,
    end(): void {
      life.is_alive = false;
      tellEnded();
    },
    isUnanswered: (path: string) => network.isUnanswered(isHeard, path),
  };
}
