import { randomUUID } from 'node:crypto';
import type { SportRecord } from '@sendlap/domain/sports/sport-record.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { makeCenter } from '#test/factories.ts';

const ROWING = {
  name: 'rowing',
  code_number: 200,
  search_words: ['rowing'],
  active: { easy: 4000, moderate: 6000, hard: 12_000 },
  rest: 1000,
  active_percent: 50,
  distance: { max_m: 50_000, max_m_per_minute: 400, paces: [{ pace: 1000, met: 4000 }] },
  week: { count: 'rows', metres: 'rowed_m', longest_minutes: null },
} as const satisfies SportRecord;
const ROW = ROWING.name as unknown as Sport;
const LIST = '@sendlap/domain/sports/sport-list.ts';
const NOW = new Date('2026-11-22T12:00:00Z');
const LAKE = randomUUID();

async function loadModules() {
  const [scores, boards, stats, weeks] = await Promise.all([
    import('./board-scores.ts'),
    import('./ranks/boards.ts'),
    import('#api/modules/stats/service.ts'),
    import('#api/modules/stats/athlete-weeks.ts'),
  ]);
  return { ...scores, ...boards, ...stats, ...weeks };
}

let modules: Awaited<ReturnType<typeof loadModules>>;
let test_database: { database: Database; close: () => Promise<void> };
beforeAll(async () => {
  vi.resetModules();
  vi.doMock(LIST, async (load) => {
    const { SPORT_LIST } = await load<typeof import('@sendlap/domain/sports/sport-list.ts')>();
    return { SPORT_LIST: [...SPORT_LIST, ROWING] };
  });
  modules = await loadModules();
  test_database = await openTestDatabase();
  // The migration that docs/how-to/add-a-sport.md asks for, as far as these tables go.
  await sql`alter table board_scores drop constraint board_scores_sport_check`.execute(test_database.database);
  await sql`alter table activities drop constraint activities_sport_type_check`.execute(test_database.database);
  await sql`
    alter table athlete_weeks add column rows integer not null default 0, add column rowed_m integer not null default 0
  `.execute(test_database.database);
});
// Test files share a process: the mock must not outlive this one.
afterAll(async () => {
  vi.doUnmock(LIST);
  vi.resetModules();
  await test_database.close();
});

async function addAthlete(): Promise<string> {
  const id = randomUUID();
  const person = { id, public_id: id.slice(0, 30), email: '', name: 'Ada', display_name: 'Ada' };
  await test_database.database.insertInto('users').values(person).execute();
  return id;
}

describe('a third sport needs no more than its record and a migration', () => {
  test('its boards of all centers are among those that are filled first', () => {
    const sports = modules.currentBoards(NOW.getTime()).map(({ sport }) => sport);
    expect(new Set(sports)).toEqual(new Set(['all', 'climbing', 'swimming', ROW]));
  });

  test('its points are on its boards, its totals in the athlete’s week and its points in the trend', async () => {
    const athlete = await addAthlete();
    const row = {
      ...{ id: randomUUID(), sport_type: ROW, sport_center_id: LAKE, local_date: '2026-11-21', distance_m: 9000 },
      ...{ started_at: new Date('2026-11-21T10:00:00Z'), ended_at: new Date('2026-11-21T10:20:00Z'), paused_s: null },
      ...{ points: 150, validation: 'referee' as const, validated_at: NOW },
    } as const;
    const week = { week_key: '2026-W47', activities: [row] };
    const parts = [
      ...modules.boardCtes(athlete, [week], NOW),
      ...modules.weekCtes(athlete, [modules.toAthleteWeek(week)]),
    ];
    await sql`with ${sql.join(parts)} select 1`.execute(test_database.database);

    const boards = await test_database.database
      .selectFrom('board_scores')
      .select(['points'])
      .where((where) => where.and({ user_id: athlete, period: '2026-W47', sport: ROW, sport_center_id: LAKE }))
      .execute();
    expect(boards).toEqual([{ points: 150 }]);
    const weeks = await test_database.database
      .selectFrom('athlete_weeks')
      .selectAll()
      .where('user_id', '=', athlete)
      .execute();
    // 9,000 m in 20 minutes: the record caps them at 400 m a minute.
    expect(weeks).toMatchObject([{ points: 150, rows: 1, rowed_m: 8000, climbs: 0, swims: 0 }]);
    const { weeks: trend } = await modules.createStatsService(test_database.database, () => NOW).getTrend(athlete);
    expect(trend.at(-1)).toMatchObject({ key: '2026-W47', points: 150 });
    const read = await sql<{ weeks: Parameters<typeof modules.parseWeeks>[0] }>`
      select ${modules.selectWeeks(athlete)} as weeks`.execute(test_database.database);
    expect(read.rows.map((columns) => modules.parseWeeks(columns.weeks))).toMatchObject([[{ rows: 1, rowed_m: 8000 }]]);
  });

  test('its minutes, METs, points and center are on the skills radar', async () => {
    const athlete = await addAthlete();
    const times = { started_at: new Date('2026-11-21T10:00:00Z'), ended_at: new Date('2026-11-21T10:45:00Z') };
    const day = { local_date: '2026-11-21', week_key: '2026-W47', rule_version: 'met-2' };
    const proof = { status: 'validated', validation: 'referee', points: 240 } as const;
    await test_database.database
      .insertInto('activities')
      .values({
        ...{ id: randomUUID(), user_id: athlete, sport_center_id: await makeCenter(test_database.database) },
        ...{ sport_type: ROW, distance_m: 9000, ...times, ...day, ...proof },
      })
      .execute();

    const { axes } = await modules.createStatsService(test_database.database, () => NOW).getSkills(athlete);
    expect(Object.fromEntries(axes.map(({ axis, value, measured }) => [axis, [value, measured]]))).toEqual({
      endurance: [50, 45],
      volume: [5, 240],
      // The record's only pace has 4 MET; (4 − 3) / 7.
      intensity: [14, 4],
      consistency: [0, 0],
      variety: [17, 1],
      fair_play: [100, 100],
    });
  });
});
