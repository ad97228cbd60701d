import 'fake-indexeddb/auto';
import type { Activity } from '@sendlap/contract/activities.ts';
import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createTab, NORA, refusal, reply, tokenOf } from '#test/unit/fake-server.ts';
import { runTurns } from '#test/unit/run-turns.ts';
import { loadActivities } from '#web/shared/local-db/activities.ts';
import { deleteUserData } from '#web/shared/local-db/database.ts';
import { NO_FILTER } from './history-filter.ts';
import {
  applyServerActivity,
  listActivitiesQuery,
  listActivityCopiesQuery,
  listHistoryQuery,
  refetchActivities,
} from './queries.ts';

const ACTIVITY: Activity = {
  client_id: '11111111-1111-4111-8111-111111111111',
  sport_center_id: '22222222-2222-4222-8222-222222222222',
  sport_center_name: 'Wall',
  sport_type: 'climbing',
  started_at: '2026-11-22T10:00:00.000Z',
  ended_at: '2026-11-22T11:00:00.000Z',
  paused_s: 0,
  status: 'finished',
  validation: 'none',
  points: 0,
  potential_points: 400,
  rule_version: '1',
  intensity: 'moderate',
  distance_m: null,
  score: null,
  rejected_reason: null,
  can_appeal: false,
  appealed_at: null,
  proof_note: null,
};
const OTHER: Activity = { ...ACTIVITY, client_id: '33333333-3333-4333-8333-333333333333' };
const VALIDATED: Activity = { ...ACTIVITY, status: 'validated', validation: 'peer', points: 400 };

let tab: ReturnType<typeof createTab>;
let queries: QueryClient;
/** The activities on the server. A response is built from them before `delay` and arrives after it. */
let items: Activity[];
let delay: Promise<void>;
let is_down: boolean;
/** What the server answered to ops of this device. */
let acked: { server: Activity; acked_at: number }[];
let user: typeof NORA | null;
/** Reading the outbox takes so long. */
let disk: Promise<void>;

vi.mock('#web/shared/api/client.ts', () => ({
  call: (...args: Parameters<ReturnType<typeof createTab>['call']>) => tab.call(...args),
  session: { getState: () => ({ user, checking_auth: false }) },
}));
vi.mock('#web/shared/outbox/client.ts', () => ({
  outbox: {
    store: {
      listSynced: async () => [],
      listAcked: () => disk.then(() => acked),
      applyServerSnapshot: async () => {},
    },
  },
}));

beforeEach(() => {
  [items, delay, is_down, acked] = [[ACTIVITY], Promise.resolve(), false, []];
  [user, disk] = [NORA, Promise.resolve()];
  queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  tab = createTab({
    async 'GET /v1/activities'() {
      if (is_down) return refusal(404, 'not_found');
      const answer = reply({ items, next_cursor: null });
      await delay;
      return answer;
    },
  });
  tab.token.set(tokenOf(NORA.id), 600);
});

const waitUntilIdle = () => vi.waitFor(() => expect(queries.isFetching()).toBe(0));
const list = () => queries.getQueryData(listActivitiesQuery(NORA.id).queryKey);
const history = () =>
  queries.getQueryData(listHistoryQuery(NORA.id, NO_FILTER).queryKey)?.pages.flatMap((page) => page.items);
const watchHistory = () => new InfiniteQueryObserver(queries, listHistoryQuery(NORA.id, NO_FILTER)).subscribe(() => {});
const watchList = () => new QueryObserver(queries, listActivitiesQuery(NORA.id)).subscribe(() => {});

describe('an activity that the server has sent', () => {
  test.each([
    ['history', watchHistory, history],
    ['list', watchList, list],
  ] as const)('is not overwritten by a %s that was requested earlier', async (_, watch, shown) => {
    watch();
    await waitUntilIdle();
    const answered = Promise.withResolvers<void>();
    delay = answered.promise;
    refetchActivities(queries, NORA.id);
    await vi.waitFor(() => expect(tab.sent).toHaveLength(2));
    items = [VALIDATED];
    delay = Promise.resolve();
    applyServerActivity(queries, NORA.id, VALIDATED);
    expect(shown()).toEqual([VALIDATED]);
    answered.resolve();
    await waitUntilIdle();
    expect(shown()).toEqual([VALIDATED]);
  });

  test.each([
    ['history', watchHistory, history],
    ['list', watchList, list],
  ] as const)('does not replace a %s that could not be read, which is read once more', async (_, watch, shown) => {
    watch();
    await waitUntilIdle();
    items = [VALIDATED, OTHER];
    is_down = true;
    refetchActivities(queries, NORA.id);
    await waitUntilIdle();
    is_down = false;
    applyServerActivity(queries, NORA.id, VALIDATED);
    await waitUntilIdle();
    expect(shown()).toEqual([VALIDATED, OTHER]);
  });

  test.each([
    ['history', watchHistory, history],
    ['list', watchList, list],
  ] as const)(
    'in the result of an op is not overwritten by a %s that was requested earlier, also without another read',
    async (_, watch, shown) => {
      const answered = Promise.withResolvers<void>();
      delay = answered.promise;
      watch();
      await vi.waitFor(() => expect(tab.sent).toHaveLength(1));
      // By the worker, or on a page that has ended.
      acked = [{ server: VALIDATED, acked_at: Date.now() + 1 }];
      await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(acked[0]?.acked_at ?? 0));
      answered.resolve();
      await waitUntilIdle();
      expect(shown()).toEqual([VALIDATED]);
    },
  );

  test('counts by the time of the answer: one from before the list, or by a clock set back since, is older', async () => {
    acked = [{ server: VALIDATED, acked_at: Date.now() - 1 }];
    watchList();
    await waitUntilIdle();
    expect(list()).toEqual([ACTIVITY]);
    acked = [{ server: VALIDATED, acked_at: Date.now() + 86_400_000 }];
    refetchActivities(queries, NORA.id);
    await waitUntilIdle();
    expect(list()).toEqual([ACTIVITY]);
  });
});

test.each([
  ['the list', watchList],
  ['the history', watchHistory],
])('an answer for %s that is saved only after the sign-out leaves no copy on the device', async (_, watch) => {
  await deleteUserData();
  const read = Promise.withResolvers<void>();
  disk = read.promise;
  watch();
  await vi.waitFor(() => expect(tab.sent).toHaveLength(1));
  await runTurns();
  user = null;
  await deleteUserData();
  read.resolve();
  await waitUntilIdle();
  await runTurns();
  expect(await loadActivities(NORA.id)).toEqual([]);
});

test('the copies are as old as the last list, however new the news of one of them are', async () => {
  await deleteUserData();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T12:00:00Z') });
  const listed_at = Date.now();
  await queries.fetchQuery(listActivitiesQuery(NORA.id));
  await runTurns();
  vi.setSystemTime(listed_at + 3 * 86_400_000);
  applyServerActivity(queries, NORA.id, VALIDATED);
  await runTurns();
  const copies = await queries.fetchQuery(listActivityCopiesQuery(NORA.id));
  expect(copies).toMatchObject({ items: [{ status: 'validated' }], cached_at: listed_at });
  vi.useRealTimers();
});
