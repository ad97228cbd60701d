import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { type BoardRow, putScores } from '#test/scenes/put-scores.ts';

const BOARD = '/v1/leaderboards';
/** Monday has begun in Madrid and in Auckland, but not in UTC, where it is Sunday. */
const BETWEEN_WEEKS = Date.parse('2026-11-22T23:30:00Z');

let api: TestApp;
const centers = new Map<string, string>();
let now_ms = 0;
beforeAll(async () => {
  const seed = async (database: TestApp['database']) => {
    for (const time_zone of ['Europe/Madrid', 'America/Los_Angeles', 'Pacific/Auckland']) {
      const id = await makeCenter(database);
      await database.updateTable('sport_centers').set({ time_zone }).where('id', '=', id).execute();
      centers.set(time_zone, id);
    }
  };
  now_ms = BETWEEN_WEEKS;
  api = await buildTestApp({ seed, now: () => new Date(now_ms) });
});
afterAll(() => api.close());

const centerIn = (time_zone: string) => centers.get(time_zone) ?? '';

async function readPeriod(who: SignedIn, query: Record<string, string> = {}) {
  const reply = await api.app.inject({ url: BOARD, query, headers: who.headers });
  return reply.json().data.period;
}

async function start(who: SignedIn, time_zone: string, started_at: number): Promise<void> {
  const reply = await api.app.inject({
    method: 'POST',
    url: '/v1/activities',
    headers: who.headers,
    payload: {
      client_id: crypto.randomUUID(),
      op_id: crypto.randomUUID(),
      sport_center_id: centerIn(time_zone),
      sport_type: 'climbing',
      started_at: new Date(started_at).toISOString(),
    },
  });
  expect(reply.statusCode, reply.body).toBe(201);
}

test("a center's present week is the one in its own zone", async () => {
  now_ms = BETWEEN_WEEKS;
  const ada = await api.signIn('Ada');
  const weekAt = async (zone: string) => (await readPeriod(ada, { sport_center_id: centerIn(zone) })).key;
  expect(await weekAt('Europe/Madrid')).toBe('2026-W48');
  expect(await weekAt('Pacific/Auckland')).toBe('2026-W48');
  expect(await weekAt('America/Los_Angeles')).toBe('2026-W47');
});

test('the present week of all centers is the one in UTC, or in the zone where I was last active', async () => {
  now_ms = BETWEEN_WEEKS;
  const ada = await api.signIn('Ada');
  expect((await readPeriod(ada)).key).toBe('2026-W47');
  await start(ada, 'Pacific/Auckland', BETWEEN_WEEKS - 60_000);
  expect((await readPeriod(ada)).key).toBe('2026-W48');
  expect((await readPeriod(ada, { scope: 'friends' })).key).toBe('2026-W48');
  const bea = await api.signIn('Bea');
  await start(bea, 'America/Los_Angeles', BETWEEN_WEEKS - 60_000);
  expect((await readPeriod(bea)).key).toBe('2026-W47');
});

test('the present season follows the week, also at the turn of the year', async () => {
  // Week 53 of 2026 belongs to its fourth quarter; in Auckland the next quarter has begun.
  now_ms = Date.parse('2027-01-03T23:00:00Z');
  const ada = await api.signIn('Ada');
  const seasonAt = async (zone: string) =>
    (await readPeriod(ada, { period: 'season', sport_center_id: centerIn(zone) })).key;
  expect(await seasonAt('America/Los_Angeles')).toBe('2026-Q4');
  expect(await seasonAt('Pacific/Auckland')).toBe('2027-Q1');
  expect(await readPeriod(ada)).toMatchObject({ key: '2026-W53', starts_on: '2026-12-28', ends_on: '2027-01-03' });
});

test('a week is final 15 days after it ended in the last zone on earth, and a season with its last week', async () => {
  const ends_everywhere = Date.parse('2027-01-04T12:00:00Z');
  const final_at = ends_everywhere + 15 * 86_400_000;
  for (const [at, provisional] of [
    [final_at - 1, true],
    [final_at, false],
  ] as const) {
    now_ms = at;
    const ada = await api.signIn('Ada');
    expect((await readPeriod(ada, { key: '2026-W53' })).provisional).toBe(provisional);
    expect((await readPeriod(ada, { period: 'season', key: '2026-Q4' })).provisional).toBe(provisional);
    expect((await readPeriod(ada, { key: '2026-W52' })).provisional).toBe(false);
    expect((await readPeriod(ada, { period: 'all' })).provisional).toBe(true);
  }
});

test('the dashboard has my rank of this week and of the week before, also to me alone', async () => {
  // Weeks not used above: a loaded board learns only later of rows inserted directly into the database.
  now_ms = Date.parse('2026-11-04T12:00:00Z');
  const [ada, bea, cleo, dan] = await Promise.all(['Ada', 'Bea', 'Cleo', 'Dan'].map((name) => api.signIn(name)));
  const points: [SignedIn | undefined, string, number][] = [
    [ada, '2026-W45', 10],
    [bea, '2026-W45', 20],
    [cleo, '2026-W45', 20],
    [ada, '2026-W44', 50],
    [bea, '2026-W44', 40],
    [dan, '2026-W44', 30],
  ];
  const rows = points.flatMap(([who, period, each]): BoardRow[] => (who ? [{ who, period, points: each }] : []));
  await putScores(api.database, rows);
  const rankOf = async (who: SignedIn | undefined) => {
    const reply = await api.app.inject({ url: '/v1/dashboard', headers: who?.headers ?? {} });
    return reply.json().data.rank;
  };
  expect(await rankOf(ada)).toEqual({ rank: 3, total: 3, previous_rank: 1, hidden: false });
  expect(await rankOf(bea)).toEqual({ rank: 1, total: 3, previous_rank: 2, hidden: false });
  expect(await rankOf(cleo)).toEqual({ rank: 1, total: 3, previous_rank: null, hidden: false });
  expect(await rankOf(dan)).toBeNull();
  const hide = { method: 'PATCH', url: '/v1/users/settings', payload: { boards: false } } as const;
  await api.app.inject({ ...hide, headers: bea?.headers ?? {} });
  expect(await rankOf(bea)).toEqual({ rank: 1, total: 2, previous_rank: 2, hidden: true });
  expect(await rankOf(ada)).toEqual({ rank: 2, total: 2, previous_rank: 1, hidden: false });
});
