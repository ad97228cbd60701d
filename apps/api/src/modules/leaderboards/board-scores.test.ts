import { randomUUID } from 'node:crypto';
import { isoWeekRange } from '@sendlap/domain/dates.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { type BoardScore, boardCtes, type ScoredActivity } from './board-scores.ts';

const DAY_MS = 86_400_000;
const EVERYWHERE = '00000000-0000-0000-0000-000000000000';
const [WALL, POOL] = [randomUUID(), randomUUID()];
/** Weeks and their seasons at the edges: these Thursdays are the first or last of a quarter. */
const SEASON_OF: Record<string, string> = {
  '2026-W39': '2026-Q3',
  '2026-W40': '2026-Q4',
  '2026-W53': '2026-Q4',
  '2027-W01': '2027-Q1',
  '2027-W12': '2027-Q1',
  '2027-W13': '2027-Q2',
};
/** A moment at which all of them are open. */
const EARLY = new Date('2026-10-01T12:00:00Z');

let api: { database: Database; close: () => Promise<void> };
let athlete = '';
beforeAll(async () => {
  api = await openTestDatabase();
});
afterAll(() => api.close());
beforeEach(async () => {
  athlete = randomUUID();
  const person = { id: athlete, public_id: athlete.slice(0, 30), email: '', name: 'Ada', display_name: 'Ada' };
  await api.database.insertInto('users').values(person).execute();
});

type Stored = BoardScore & { version: number };
const keyOf = ({ period, sport, sport_center_id }: Pick<BoardScore, 'period' | 'sport' | 'sport_center_id'>) =>
  `${period} ${sport} ${sport_center_id}`;

async function readRows(): Promise<Map<string, Stored>> {
  const rows = await api.database.selectFrom('board_scores').selectAll().where('user_id', '=', athlete).execute();
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** The athlete's entries in the change log, oldest first. */
async function readChanges(): Promise<string[][]> {
  const rows = await api.database
    .selectFrom('board_changes')
    .select(['periods'])
    .where('user_id', '=', athlete)
    .orderBy('xid')
    .execute();
  return rows.map(({ periods }) => (periods ?? []).toSorted());
}

async function write(weeks: Record<string, ScoredActivity[]>, at = EARLY): Promise<void> {
  const list = Object.entries(weeks).map(([week_key, activities]) => ({ week_key, activities }));
  const parts = boardCtes(athlete, list, at);
  if (parts.length > 0) await sql`with ${sql.join(parts)} select 1`.execute(api.database);
}

/** A climb at the wall that a referee confirmed at this minute. */
function climb(points: number, minute: number, more: Partial<ScoredActivity> = {}): ScoredActivity {
  const validated_at = new Date(Date.parse('2026-10-02T10:00:00Z') + minute * 60_000);
  return { sport_type: 'climbing', sport_center_id: WALL, validation: 'referee', points, validated_at, ...more };
}

async function readScore(period: string, sport: BoardScore['sport'] = 'all', sport_center_id = EVERYWHERE) {
  const row = (await readRows()).get(keyOf({ period, sport, sport_center_id }));
  return row && [row.points, row.reached_at.toISOString().slice(11, 16), row.friends_points, row.version];
}

describe('the score of a week', () => {
  test('is the best 5 of 6, reached with the latest scan of these', async () => {
    const six = [climb(10, 0), climb(20, 1), climb(30, 2), climb(40, 3), climb(50, 4), climb(5, 9)];
    await write({ '2026-W40': six });
    expect(await readScore('2026-W40')).toEqual([150, '10:04', 150, 1]);
  });

  test('grows by a sixth that is better than the fifth, by the difference', async () => {
    const five = [climb(10, 0), climb(20, 1), climb(30, 2), climb(40, 3), climb(50, 4)];
    await write({ '2026-W40': five });
    await write({ '2026-W40': [...five, climb(11, 7)] });
    expect(await readScore('2026-W40')).toEqual([151, '10:07', 151, 2]);
  });

  test('takes of equal ones those that were scanned first', async () => {
    const six = [9, 3, 1, 4, 2, 5].map((minute) => climb(10, minute));
    await write({ '2026-W40': six });
    expect(await readScore('2026-W40')).toEqual([50, '10:05', 50, 1]);
  });

  test('is of its sport and its center too, with a best 5 of their own, and friends see more than others', async () => {
    const at_pool = { sport_type: 'swimming', sport_center_id: POOL } as const;
    const six = [climb(10, 0), climb(20, 1), climb(30, 2), climb(40, 3), climb(50, 4), climb(25, 5, at_pool)];
    await write({ '2026-W40': [...six, climb(100, 8, { validation: 'peer' }), climb(7, 9, { validation: 'none' })] });
    expect(await readScore('2026-W40')).toEqual([165, '10:05', 245, 1]);
    expect(await readScore('2026-W40', 'climbing', WALL)).toEqual([150, '10:04', 240, 1]);
    expect(await readScore('2026-W40', 'swimming', POOL)).toEqual([25, '10:05', 25, 1]);
    expect(await readScore('2026-W40', 'swimming', WALL)).toBeUndefined();
  });
});

describe('season and all time', () => {
  test('are sums of weeks; week 53 and the days of January in it belong to the quarter of its Thursday', async () => {
    await write({ '2026-W52': [climb(10, 0)] });
    await write({ '2026-W53': [climb(20, 1)] });
    await write({ '2027-W01': [climb(40, 2)] });
    expect(await readScore('2026-Q4')).toEqual([30, '10:01', 30, 2]);
    expect(await readScore('2027-Q1')).toEqual([40, '10:02', 40, 1]);
    expect(await readScore('all')).toEqual([70, '10:02', 70, 3]);
  });

  test('return to the very same numbers, with a higher version, when an added activity goes again', async () => {
    const first = [climb(10, 0), climb(20, 1)];
    await write({ '2026-W52': first });
    await write({ '2026-W52': [...first, climb(500, 5)] });
    await write({ '2026-W52': first });
    for (const period of ['2026-W52', '2026-Q4', 'all']) {
      expect(await readScore(period)).toEqual([30, '10:01', 30, 3]);
    }
  });

  test('keep their rows with 0 points when nothing is left', async () => {
    await write({ '2026-W52': [climb(10, 0)] });
    await write({ '2026-W52': [] });
    const rows = [...(await readRows()).values()];
    expect(rows).toHaveLength(12);
    for (const row of rows) {
      expect(row).toMatchObject({ points: 0, friends_points: 0, version: 2, reached_at: new Date(0) });
    }
  });
});

describe('one validation', () => {
  test('touches 12 rows and writes one line of the log; the same once more touches nothing', async () => {
    await write({ '2026-W40': [climb(10, 0, { sport_center_id: POOL })] });
    const before = await readRows();
    await write({ '2026-W40': [climb(10, 0, { sport_center_id: POOL }), climb(20, 1)] });
    const after = await readRows();
    expect([...after].filter(([key, { version }]) => before.get(key)?.version !== version)).toHaveLength(12);
    await write({ '2026-W40': [climb(20, 1), climb(10, 0, { sport_center_id: POOL })] });
    expect(await readRows()).toEqual(after);
    const periods = ['2026-Q4', '2026-W40', 'all'];
    expect(await readChanges()).toEqual([periods, periods]);
  });

  test('of a week that is final changes no board and no log', async () => {
    const sunday = Date.parse(`${isoWeekRange('2026-W40').ends_on}T00:00:00Z`);
    const final_at = sunday + 16.5 * DAY_MS;
    await write({ '2026-W40': [climb(10, 0)] }, new Date(final_at - 1));
    const rows = await readRows();
    await write({ '2026-W40': [] }, new Date(final_at));
    await write({ '2026-W40': [climb(10, 0), climb(99, 0)] }, new Date(final_at));
    expect(await readRows()).toEqual(rows);
    expect(await readChanges()).toHaveLength(1);
    // The season keeps its earlier score.
    await write({ '2026-W40': [], '2026-W52': [climb(5, 1)] }, new Date(final_at));
    expect(await readScore('2026-Q4')).toEqual([15, '10:01', 15, 2]);
  });
});

/** Recomputes all rows from the activities of all weeks. */
function recount(weeks: Map<string, ScoredActivity[]>): Map<string, [number, number, number, number]> {
  const rows = new Map<string, [number, number, number, number]>();
  for (const [week, all] of weeks) {
    for (const sport of ['all', 'climbing', 'swimming'])
      for (const center of [EVERYWHERE, WALL, POOL]) {
        const here = all.filter((one) => one.points > 0 && (sport === 'all' || one.sport_type === sport));
        const entries = here.filter((one) => center === EVERYWHERE || one.sport_center_id === center);
        const best = (list: ScoredActivity[]) => {
          const five = [...list]
            .sort((a, b) => b.points - a.points || Number(a.validated_at) - Number(b.validated_at))
            .slice(0, 5);
          return [
            five.reduce((sum, one) => sum + one.points, 0),
            Math.max(0, ...five.map((one) => Number(one.validated_at))),
          ];
        };
        const [points = 0, reached = 0] = best(entries.filter(({ validation }) => validation !== 'peer'));
        const [friends = 0, friends_reached = 0] = best(entries);
        for (const period of [week, SEASON_OF[week], 'all']) {
          const key = `${period} ${sport} ${center}`;
          const [a, b, c, d] = rows.get(key) ?? [0, 0, 0, 0];
          rows.set(key, [a + points, Math.max(b, reached), c + friends, Math.max(d, friends_reached)]);
        }
      }
  }
  return new Map([...rows].filter(([, [, , friends]]) => friends > 0));
}

const activity: fc.Arbitrary<ScoredActivity> = fc.record({
  sport_type: fc.constantFrom('climbing', 'swimming'),
  sport_center_id: fc.constantFrom(WALL, POOL),
  validation: fc.constantFrom('peer', 'venue', 'referee'),
  points: fc.integer({ min: 0, max: 6 }),
  validated_at: fc.integer({ min: 1, max: 9 }).map((nth) => new Date(EARLY.getTime() + nth * 1000)),
});
const step = fc.dictionary(fc.constantFrom(...Object.keys(SEASON_OF)), fc.array(activity, { maxLength: 7 }), {
  minKeys: 1,
  maxKeys: 2,
  noNullPrototype: true,
});

test('after any changes of any weeks all rows equal a recount, and versions show which changed', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
    await sql`delete from board_scores`.execute(api.database);
    await sql`delete from board_changes`.execute(api.database);
    const weeks = new Map<string, ScoredActivity[]>();
    for (const changed of steps) {
      const before = await readRows();
      const logged = (await readChanges()).length;
      await write(changed);
      for (const [week, activities] of Object.entries(changed)) weeks.set(week, activities);
      const rows = await readRows();
      const shown = [...rows].filter(([, { friends_points }]) => friends_points > 0);
      const is = shown.map(
        ([key, row]) =>
          [key, [row.points, Number(row.reached_at), row.friends_points, Number(row.friends_reached_at)]] as const,
      );
      expect(new Map(is)).toEqual(recount(weeks));
      const valuesOf = (row?: Stored) => row && { ...row, version: 0 };
      const moved = [...rows].filter(
        ([key, row]) => JSON.stringify(valuesOf(row)) !== JSON.stringify(valuesOf(before.get(key))),
      );
      for (const [key, { version }] of rows) {
        const is_moved = moved.some(([other]) => other === key);
        expect(version).toBe((before.get(key)?.version ?? 0) + Number(is_moved));
      }
      const periods = [...new Set(moved.map(([, { period }]) => period))].sort();
      expect((await readChanges()).slice(logged)).toEqual(periods.length === 0 ? [] : [periods]);
    }
  });
  await fc.assert(property, { numRuns: 60 });
}, 120_000);
