import { QueryClient } from '@tanstack/react-query';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type Action, history, ThreadWorld } from '#test/models/thread-histories.ts';
import { NORA } from '#test/unit/fake-server.ts';
import { threads } from './thread-store.ts';

/** `THREAD_HISTORIES=100000` for the full run. */
const RUNS = Number(process.env.THREAD_HISTORIES ?? 2_000);

let world: ThreadWorld;

vi.mock('#web/shared/api/client.ts', () => ({
  call: (_endpoint: unknown, args: { query: Record<string, string> }, { signal }: { signal?: AbortSignal }) =>
    world.call(args.query, signal),
  session: { getState: () => ({ user: NORA, checking_auth: false }) },
}));

/** A browser without a database: threads live in memory, by the same functions. */
vi.mock('#web/shared/local-db/database.ts', () => ({ openCache: () => Promise.reject(new Error('no database')) }));

const settle = () => new Promise(setImmediate);

async function play(actions: readonly Action[]): Promise<string[]> {
  threads.clear();
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  world = new ThreadWorld(queries, settle);
  try {
    for (const action of actions) await world.perform(action);
    return world.differences(await world.finish());
  } finally {
    world.close();
    // No work of this world may reach the next one.
    for (let turn = 0; turn < 5; turn += 1) await settle();
  }
}

/** Histories that once failed. While a page is on its way, more messages are read than early receipts were kept of. */
const read = (nth: number): Action => ({ type: 'read', nth, by_me: true });
const FAILED: [Action[]][] = [
  [
    [
      { type: 'write', count: 160 },
      { type: 'miss' },
      { type: 'deliver', count: 1 },
      { type: 'open' },
      { type: 'answer' },
      ...[159, 139, 119, 99, 79, 59].map(read),
      { type: 'deliver', count: 6 },
      { type: 'arrive' },
    ],
  ],
];

test('after any history, a finished sync leaves the server’s messages on the device', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (actions) => {
      expect(await play(actions)).toEqual([]);
    }),
    { numRuns: RUNS, examples: FAILED },
  );
}, 3_600_000);
