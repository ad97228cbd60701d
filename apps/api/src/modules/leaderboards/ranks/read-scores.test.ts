import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '#test/database/database.ts';
import { OVERALL_BOARD } from '#test/rank-model.ts';
import { addAthlete, writeScore } from '#test/scenes/rank-rows.ts';
import type { Board, Score } from './boards.ts';
import { readScores } from './read-scores.ts';

/** Enough rows for reading page by page. */
const ROWS = 25_000;
const WEEK: Board = { ...OVERALL_BOARD, period: '2026-W47' };

let own: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  own = await openTestDatabase();
});
afterAll(() => own.close());

async function readAll(board: Board): Promise<Score[]> {
  const scores: Score[] = [];
  for await (const part of readScores(own.database, board)) scores.push(...part);
  return scores.sort((one, other) => (one.user_id < other.user_id ? -1 : 1));
}

/** The expected scores, by a plain query. */
async function expected(board: Board): Promise<Score[]> {
  const { rows } = await sql<Score>`
    select s.user_id, s.version, s.points, floor(extract(epoch from s.reached_at) * 1000)::int8 as reached_at_ms
    from board_scores s join users u on u.id = s.user_id
    where u.boards and s.points > 0 and s.period = ${board.period} and s.sport = ${board.sport}
      and s.sport_center_id = ${board.sport_center_id}
    order by s.user_id`.execute(own.database);
  return rows;
}

describe('readScores', () => {
  it('reads nothing where there is nothing', async () => {
    expect(await readAll(OVERALL_BOARD)).toEqual([]);
  });

  it('reads a small board, times to the millisecond below', async () => {
    const at_ms = [0, 1, 281, 999].map((millisecond) => Date.UTC(2026, 10, 16, 23, 59, 59, millisecond));
    for (const at of at_ms) await writeScore(own.database, await addAthlete(own.database), 7, WEEK, at);
    await sql`update board_scores set reached_at = reached_at + interval '999 microseconds'
      where extract(milliseconds from reached_at)::int % 2 = 1`.execute(own.database);
    const scores = await readAll(WEEK);
    expect(scores).toEqual(await expected(WEEK));
    expect(scores.map(({ reached_at_ms }) => reached_at_ms).sort()).toEqual(at_ms);
  });

  it('reads a board that fills the table, also from before 2000, without athletes who have no points or are hidden', async () => {
    for (let made = 0; made < ROWS; made += 2500) {
      await sql`
      with made as (
        insert into users (id, public_id, email, name, boards)
        select gen_random_uuid(), 'athlete' || number, '', 'Athlete', number % 50 > 0
        from generate_series(${made + 1}::int, ${made + 2500}) number returning id
      )
      insert into board_scores
        (user_id, period, sport, sport_center_id, points, reached_at, friends_points, friends_reached_at, version)
      select id, 'all', 'all', ${OVERALL_BOARD.sport_center_id}, floor(random() * 1000),
        timestamptz '1999-12-31 00:00Z' + random() * interval '30 years', 0, now(), 1 + floor(random() * 9)
      from made`.execute(own.database);
    }
    const scores = await readAll(OVERALL_BOARD);
    expect(scores.length).toBeGreaterThan(24_000);
    expect(scores).toEqual(await expected(OVERALL_BOARD));
  });

  it('sees nothing that commits after it began', async () => {
    const user_id = await addAthlete(own.database);
    const before = await expected(OVERALL_BOARD);
    const reading = readScores(own.database, OVERALL_BOARD);
    const first = await reading.next();
    await writeScore(own.database, user_id, 5);
    const scores = [...(first.value ?? [])];
    for await (const part of reading) scores.push(...part);
    expect(scores).toHaveLength(before.length);
    expect(await readAll(OVERALL_BOARD)).toHaveLength(before.length + 1);
  });

  it('returns its connection when the reader stops early', async () => {
    for (let time = 0; time < 20; time++) {
      for await (const part of readScores(own.database, OVERALL_BOARD)) {
        expect(part.length).toBeGreaterThan(0);
        break;
      }
    }
    const reading = readScores(own.database, OVERALL_BOARD, AbortSignal.abort(new Error('no more')));
    await expect(reading.next()).rejects.toThrow('no more');
  });
});
