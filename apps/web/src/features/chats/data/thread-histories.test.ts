import { QueryClient } from '@tanstack/react-query';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { history, type Step, ThreadWorld } from '#test/models/thread-histories.ts';
import { NORA } from '#test/unit/fake-server.ts';
import { threads } from './thread-store.ts';

/** `THREAD_HISTORIES=100000` for the whole number. */
const RUNS = Number(process.env.THREAD_HISTORIES ?? 2_000);

let world: ThreadWorld;

vi.mock('#web/shared/api/client.ts', () => ({
  call: (_endpoint: unknown, args: { query: Record<string, string> }, { signal }: { signal?: AbortSignal }) =>
    world.call(args.query, signal),
  session: { getState: () => ({ user: NORA, checking_auth: false }) },
}));

/** The browser has no database here: threads live in memory, by the same functions. */
async function play(steps: readonly Step[]): Promise<string[]> {
  threads.clear();
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  world = new ThreadWorld(queries, () => new Promise(setImmediate));
  try {
    for (const step of steps) await world.take(step);
    return world.differences(await world.comeToRest());
  } finally {
    world.end();
  }
}

test('whatever happens to a chat, its messages on the device are those of the server once it is quiet', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      expect(await play(steps)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
}, 3_600_000);
