import type { AthleteWeek } from '@sendlap/domain/athlete-weeks.ts';
import { type BadgeId, earnedBadges } from '@sendlap/domain/badges.ts';
import { sql } from 'kysely';
import type { Trx } from '#api/platform/database.ts';
import { badgeParts, selectGiven } from './store.ts';

/** The badges that somebody with these weeks has reached and does not have. */
export async function compareBadges(trx: Trx, user_id: string, weeks: readonly AthleteWeek[]): Promise<BadgeId[]> {
  const { rows } = await sql<{ given: number; earned: BadgeId[] | null }>`
    select ${selectGiven(user_id)} as given,
      (select json_agg(badge) from badges where user_id = ${user_id}) as earned`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('a select without a table gives one row');
  const known = new Set(row.earned);
  return earnedBadges({ weeks, validations_given: row.given }).filter((id) => !known.has(id));
}

/** Gives them, silently and dated `at`; the caller holds the lock of the user's row. Gives how many there were. */
export async function rebuildBadges(
  trx: Trx,
  user_id: string,
  weeks: readonly AthleteWeek[],
  at: Date,
): Promise<number> {
  const missing = await compareBadges(trx, user_id, weeks);
  const parts = badgeParts(missing.map((badge) => ({ user_id, badge, earned_at: at })));
  if (parts.length > 0) await sql`with ${sql.join(parts)} select 1`.execute(trx);
  return missing.length;
}
