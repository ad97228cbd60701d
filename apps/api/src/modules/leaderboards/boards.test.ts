import { Leaderboard, type LeaderboardRow, SurroundingLeaderboard } from '@sendlap/contract/leaderboards.ts';
import { SPORTS } from '@sendlap/domain/sports.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { type BoardRow, putScores } from '#test/scenes/put-scores.ts';

const BOARD = '/v1/leaderboards';
/** A Wednesday. */
const NOW = Date.parse('2026-11-18T12:00:00Z');
const WEEK = '2026-W47';
const PERIODS = [
  ['week', WEEK],
  ['season', '2026-Q4'],
  ['all', 'all'],
] as const;

let api: TestApp;
let viewer: SignedIn;
let center = '';
const unused: string[] = [];
beforeAll(async () => {
  const seed = async (database: TestApp['database']) => {
    for (let made = 0; made < 20; made += 1) unused.push(await makeCenter(database));
  };
  api = await buildTestApp({ seed, now: () => new Date(NOW) });
  viewer = await api.signIn('Viewer');
});
// A loaded board learns only later of rows inserted directly into the database, so each test has its own center.
beforeEach(() => {
  center = takeCenter();
});
afterAll(() => api.close());

function takeCenter(): string {
  const id = unused.pop();
  if (id === undefined) throw new Error('seed more centers');
  return id;
}

async function read(query: Record<string, string> = {}, who = viewer, url = BOARD) {
  const reply = await api.app.inject({
    url,
    query: { sport_center_id: center, ...query },
    headers: who.headers,
  });
  const { success, data } = reply.json();
  expect(success, reply.body).toBe(true);
  // Strict: no field beyond the contract.
  expect((url === BOARD ? Leaderboard : SurroundingLeaderboard).parse(data)).toEqual(data);
  return data;
}

const surround = (who: SignedIn) => read({}, who, `${BOARD}/surrounding`);

async function put(who: SignedIn, points: number, row: Partial<BoardRow> = {}): Promise<void> {
  await putScores(api.database, [{ who, period: WEEK, center, points, ...row }]);
}

async function signInAll(...names: string[]): Promise<SignedIn[]> {
  return Promise.all(names.map((name) => api.signIn(name)));
}

const namesOf = (items: LeaderboardRow[]) => items.map(({ rank, user, points }) => [rank, user.name, points]);

describe('a board [spec 7.activities.boards, 9.open.boards, 1.ranks.leaderboards]', () => {
  test('is empty without points', async () => {
    const [ada] = await signInAll('Ada');
    if (ada) await put(ada, 0);
    const empty_board = { items: [], me: null, total: 0, hidden: false };
    expect(await read({}, ada)).toEqual({
      ...empty_board,
      next_cursor: null,
      period: { key: WEEK, starts_on: '2026-11-16', ends_on: '2026-11-22', provisional: true },
    });
    expect(await surround(viewer)).toMatchObject({ ...empty_board, gap_to_next: null });
  });

  test('shares ranks between equals, in the order in which they got there', async () => {
    const [ada, bea, cleo, dan] = (await signInAll('Ada', 'Bea', 'Cleo', 'Dan')) as [
      SignedIn,
      SignedIn,
      SignedIn,
      SignedIn,
    ];
    await put(ada, 90, { reached_at: NOW - 1000 });
    await put(bea, 70, { reached_at: NOW - 2000 });
    await put(cleo, 70, { reached_at: NOW - 3000 });
    await put(dan, 10);
    const { items, me, total, next_cursor } = await read({}, bea);
    expect(namesOf(items)).toEqual([
      [1, 'Ada', 90],
      [2, 'Cleo', 70],
      [2, 'Bea', 70],
      [4, 'Dan', 10],
    ]);
    expect(items[2]).toEqual(me);
    expect(me).toEqual({
      rank: 2,
      user: { name: 'Bea', public_id: bea.user.public_id },
      points: 70,
      reached_at: new Date(NOW - 2000).toISOString(),
      is_me: true,
    });
    expect([total, next_cursor]).toEqual([4, null]);
  });

  test('is read page by page, also across equals, with my row beside each', async () => {
    const people = await signInAll('1', '2', '3', '4', '5', '6', '7');
    for (const [index, who] of people.entries()) {
      await put(who, index < 2 ? 50 : 40, { reached_at: NOW - 60_000 + index });
    }
    const me = people[6];
    const seen: LeaderboardRow[] = [];
    let cursor: string | null = null;
    do {
      const page = await read({ limit: '2', ...(cursor === null ? {} : { cursor }) }, me);
      expect(page.me).toMatchObject({ rank: 3, points: 40, is_me: true });
      expect(page.total).toBe(7);
      seen.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen.map(({ rank, user }) => [rank, user.name])).toEqual([
      [1, '1'],
      [1, '2'],
      [3, '3'],
      [3, '4'],
      [3, '5'],
      [3, '6'],
      [3, '7'],
    ]);
    expect(await read({ cursor: '7' })).toMatchObject({ items: [], next_cursor: null, total: 7 });
    expect(await read({ limit: '7' })).toMatchObject({ next_cursor: null, total: 7 });
  });

  test('is one of its own for each time, sport and center', async () => {
    const [ada] = (await signInAll('Ada')) as [SignedIn];
    const other = takeCenter();
    const expected = new Map<string, number>();
    let points = 0;
    for (const [period, key] of PERIODS) {
      for (const sport of ['all', ...SPORTS] as const) {
        for (const sport_center_id of [center, other, undefined]) {
          points += 1;
          await put(ada, points, { period: key, sport, center: sport_center_id, friends_points: points + 100 });
          const query = {
            period,
            ...(sport === 'all' ? {} : { sport }),
            ...(sport_center_id ? { sport_center_id } : {}),
          };
          expected.set(JSON.stringify(query), points);
        }
      }
    }
    for (const [text, of] of expected) {
      const { sport_center_id, ...query } = JSON.parse(text);
      const url = `${BOARD}?${new URLSearchParams({ ...query, ...(sport_center_id ? { sport_center_id } : {}) })}`;
      for (const [scope, expected_points] of [
        ['all', of],
        ['friends', of + 100],
      ] as const) {
        for (const path of [url, url.replace('?', '/surrounding?')]) {
          const reply = await api.app.inject({ url: `${path}&scope=${scope}`, headers: ada.headers });
          expect(reply.json().data.me?.points, `${path} ${scope}`).toBe(expected_points);
        }
      }
    }
    expect(expected.size).toBe(27);
  });

  test('of a closed center is still there', async () => {
    const [ada] = (await signInAll('Ada')) as [SignedIn];
    await put(ada, 12);
    await api.database.updateTable('sport_centers').set({ closed_at: new Date() }).where('id', '=', center).execute();
    expect(namesOf((await read()).items)).toEqual([[1, 'Ada', 12]]);
  });
});

describe('the rows around me', () => {
  async function fill(points: number[]): Promise<SignedIn[]> {
    const people = await signInAll(...points.map((_, index) => `P${index}`));
    for (const [index, who] of people.entries()) {
      await put(who, points[index] ?? 0, { reached_at: NOW - 600_000 + index });
    }
    return people;
  }
  const positions = (items: LeaderboardRow[]) => items.map(({ rank, user }) => `${rank} ${user.name}`);

  test('are three above and three below, with the points that I lack to the next rank', async () => {
    const people = await fill([100, 90, 80, 70, 60, 50, 40, 30, 20]);
    const { items, me, gap_to_next, total, hidden, period } = await surround(people[4] as SignedIn);
    expect(positions(items)).toEqual(['2 P1', '3 P2', '4 P3', '5 P4', '6 P5', '7 P6', '8 P7']);
    expect([me.rank, gap_to_next, total, hidden, period.key]).toEqual([5, 10, 9, false, WEEK]);
    expect(items.filter(({ is_me }: LeaderboardRow) => is_me)).toEqual([me]);
  });

  test('end at the edges of the board', async () => {
    const people = await fill([100, 90, 80, 70, 60]);
    const first = await surround(people[0] as SignedIn);
    expect(positions(first.items)).toEqual(['1 P0', '2 P1', '3 P2', '4 P3']);
    expect(first.gap_to_next).toBeNull();
    const second = await surround(people[1] as SignedIn);
    expect(positions(second.items)).toEqual(['1 P0', '2 P1', '3 P2', '4 P3', '5 P4']);
    expect(second.gap_to_next).toBe(10);
    const last = await surround(people[4] as SignedIn);
    expect(positions(last.items)).toEqual(['2 P1', '3 P2', '4 P3', '5 P4']);
    expect(last.gap_to_next).toBe(10);
  });

  test('are mine alone on a board of one', async () => {
    const [ada] = (await fill([5])) as [SignedIn];
    const { items, me, gap_to_next, total } = await surround(ada);
    expect(items).toEqual([me]);
    expect([me.rank, gap_to_next, total]).toEqual([1, null, 1]);
  });

  test('are ties of one rank in the middle of fifty, and the gap skips all of them', async () => {
    const people = await fill([60, ...Array.from({ length: 50 }, () => 40), 30]);
    const { items, me, gap_to_next } = await surround(people[25] as SignedIn);
    expect(positions(items)).toEqual([22, 23, 24, 25, 26, 27, 28].map((nth) => `2 P${nth}`));
    expect([me.rank, gap_to_next]).toEqual([2, 20]);
    const leaders = await surround(people[0] as SignedIn);
    expect(positions(leaders.items)).toEqual(['1 P0', '2 P1', '2 P2', '2 P3']);
    const last = await surround(people[51] as SignedIn);
    expect(positions(last.items)).toEqual(['2 P48', '2 P49', '2 P50', '52 P51']);
    expect(last.gap_to_next).toBe(10);
  });

  test('are empty for an athlete who is not on the board', async () => {
    await fill([5]);
    expect(await surround(viewer)).toMatchObject({ items: [], me: null, total: 1, gap_to_next: null });
  });
});

test('a past week keeps its board, and so does a past season', async () => {
  const [ada, bea] = (await signInAll('Ada', 'Bea')) as [SignedIn, SignedIn];
  await put(ada, 30, { period: '2020-W53' });
  await put(bea, 20, { period: '2020-W53' });
  await put(ada, 300, { period: '2020-Q4' });
  const week = await read({ key: '2020-W53' }, bea);
  expect(namesOf(week.items)).toEqual([
    [1, 'Ada', 30],
    [2, 'Bea', 20],
  ]);
  expect(week.period).toEqual({
    key: '2020-W53',
    starts_on: '2020-12-28',
    ends_on: '2021-01-03',
    provisional: false,
  });
  const season = await read({ period: 'season', key: '2020-Q4' }, bea);
  expect(namesOf(season.items)).toEqual([[1, 'Ada', 300]]);
  expect(season.me).toBeNull();
  expect(season.period).toMatchObject({ starts_on: '2020-09-28', ends_on: '2021-01-03', provisional: false });
  const always = await read({ period: 'all', key: 'all' });
  expect(always.period).toEqual({ key: 'all', starts_on: null, ends_on: null, provisional: true });
});
