import { WEEKLY_BEST_COUNT, weeklyScore } from '@sendlap/domain/ranks.ts';
import type { Sport } from '@sendlap/domain/scoring.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#api/platform/database.ts';
import { ALL_CENTERS } from './store.ts';

/** What a week's score is made of. */
export interface ScoredActivity {
  sport_type: Sport;
  sport_center_id: string;
  validation: 'none' | 'peer' | 'venue' | 'referee';
  points: number;
  validated_at: Date | null;
}

export interface ScoredWeek {
  week_key: string;
  /** All validated activities of the user's week; friends' proofs among them do not count on public boards. */
  activities: ScoredActivity[];
}

interface WeekScore {
  week_key: string;
  sport: 'all' | Sport;
  sport_center_id: string;
  points: number;
  reached_at: Date;
}

/** The scores of a user's week on every board that it touches: {all, sport} × {all centers, center}. */
function scoresOf({ week_key, activities }: ScoredWeek): WeekScore[] {
  const boards = new Map<string, { sport: WeekScore['sport']; sport_center_id: string; entries: ScoredActivity[] }>();
  for (const activity of activities) {
    if (activity.points === 0 || (activity.validation !== 'venue' && activity.validation !== 'referee')) continue;
    for (const sport of ['all', activity.sport_type] as const) {
      for (const sport_center_id of [ALL_CENTERS, activity.sport_center_id]) {
        const key = `${sport} ${sport_center_id}`;
        const board = boards.get(key) ?? { sport, sport_center_id, entries: [] };
        board.entries.push(activity);
        boards.set(key, board);
      }
    }
  }
  return [...boards.values()].map(({ sport, sport_center_id, entries }) => {
    const best = entries.sort((a, b) => b.points - a.points || timeOf(a) - timeOf(b)).slice(0, WEEKLY_BEST_COUNT);
    const reached_at = new Date(Math.max(...best.map(timeOf)));
    return { week_key, sport, sport_center_id, points: weeklyScore(best.map((entry) => entry.points)), reached_at };
  });
}

function timeOf({ validated_at }: ScoredActivity): number {
  return validated_at?.getTime() ?? 0;
}

/** Brings all boards of these weeks in line, as parts of one statement: `week_gone` and `week_written`. */
export function weekParts(user_id: string, weeks: ScoredWeek[]): RawBuilder<unknown>[] {
  const scores = JSON.stringify(weeks.flatMap(scoresOf).map((score) => ({ user_id, version: 1, ...score })));
  return [
    sql`
    week_wanted as (select * from jsonb_populate_recordset(null::week_scores, ${scores}::jsonb))`,
    sql`
    week_gone as (
      delete from week_scores w
      where user_id = ${user_id} and week_key = any(${weeks.map(({ week_key }) => week_key)})
        and not exists (select from week_wanted n
          where n.week_key = w.week_key and n.sport = w.sport and n.sport_center_id = w.sport_center_id)
      returning 1)`,
    sql`
    week_written as (
      insert into week_scores (user_id, week_key, sport, sport_center_id, points, reached_at)
      select user_id, week_key, sport, sport_center_id, points, reached_at from week_wanted
      on conflict (week_key, sport, sport_center_id, user_id) do update
        set points = excluded.points, reached_at = excluded.reached_at, version = week_scores.version + 1
        where (week_scores.points, week_scores.reached_at) is distinct from (excluded.points, excluded.reached_at)
      returning 1)`,
  ];
}

/** The same as a statement of its own; gives how many scores changed. */
export async function writeWeekScores(trx: Trx, user_id: string, weeks: ScoredWeek[]): Promise<number> {
  const { rows } = await sql<{ changed: number }>`
    with ${sql.join(weekParts(user_id, weeks))}
    select (select count(*) from week_gone)::int + (select count(*) from week_written)::int as changed`.execute(trx);
  return rows[0]?.changed ?? 0;
}

/** Where the stored scores of a user differ from what these activities give, one line a board. */
export async function compareWeekScores(
  trx: Trx,
  user_id: string,
  activities: (ScoredActivity & { week_key: string })[],
): Promise<{ is: number; should_be: number }[]> {
  const weeks = [...Map.groupBy(activities, ({ week_key }) => week_key)];
  const wanted = weeks.flatMap(([week_key, each]) => scoresOf({ week_key, activities: each }));
  const stored = await trx.selectFrom('week_scores').selectAll().where('user_id', '=', user_id).execute();
  const keyOf = (score: Omit<WeekScore, 'points' | 'reached_at'>) =>
    `${score.week_key} ${score.sport} ${score.sport_center_id}`;
  const found = new Map(stored.map((score) => [keyOf(score), score]));
  const differences: { is: number; should_be: number }[] = [];
  for (const score of wanted) {
    const is = found.get(keyOf(score));
    found.delete(keyOf(score));
    if (is?.points === score.points && is.reached_at.getTime() === score.reached_at.getTime()) continue;
    differences.push({ is: is?.points ?? 0, should_be: score.points });
  }
  return [...differences, ...[...found.values()].map(({ points }) => ({ is: points, should_be: 0 }))];
}
