import { earnedBadges } from '@sendlap/domain/progress/badges.ts';
import { sql } from 'kysely';
import { type Database, DEADLOCK, databaseErrorCode } from '#api/database/database.ts';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { parseWeeks, selectWeeks, type WeekColumns } from '#api/modules/stats/athlete-weeks.ts';
import { type BadgeRow, badgeCtes, selectValidationsGiven } from './store.ts';

const PAGE_SIZE = 500;
const MAX_TRIES = 3;

interface UserProgressRow {
  id: string;
  weeks: WeekColumns;
  given: number;
}

/**
 * Awards every user the badges that their past has earned by the rules of this version, without notifying. Idempotent,
 * and safe beside a live server: each badge is awarded once.
 */
export async function awardRetroactively(database: Database): Promise<{ users: number; badges: number }> {
  let [users, badges] = [0, 0];
  for await (const page of iterateUserPages(database)) {
    const earned_at = new Date();
    const rows: BadgeRow[] = page.flatMap(({ id, weeks, given }) =>
      earnedBadges({ weeks: parseWeeks(weeks), validations_given: given }).map((badge) => ({
        user_id: id,
        badge,
        earned_at,
      })),
    );
    users += page.length;
    badges += await insertBadgesWithRetry(database, rows);
  }
  return { users, badges };
}

/** Retries a deadlock: an op awarding the same badges to two users may lock the rows in another order. */
async function insertBadgesWithRetry(database: Database, badges: BadgeRow[]): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await insertBadges(database, badges);
    } catch (error) {
      if (tries === MAX_TRIES || databaseErrorCode(error) !== DEADLOCK) throw error;
    }
  }
}

/** Returns the number of new badges. A user erased since the read gets none. */
async function insertBadges(database: Database, badges: BadgeRow[]): Promise<number> {
  return database.transaction().execute(async (trx) => {
    const ids = [...new Set(badges.map(({ user_id }) => user_id))];
    const { rows: people } = await sql<{ id: string }>`
      select id from users where id = any(${ids}::uuid[]) order by id for key share`.execute(trx);
    const living = new Set(people.map(({ id }) => id));
    const parts = badgeCtes(badges.filter(({ user_id }) => living.has(user_id)));
    if (parts.length === 0) return 0;
    const { rows } = await sql<{ count: number }>`
      with ${sql.join(parts)} select count(*)::int as count from badges_earned`.execute(trx);
    return rows[0]?.count ?? 0;
  });
}

/**
 * Iterates page by page over every user with validated activities or confirmations made. Each user is looked up by an
 * index: one `exists` over all of them would read whole tables for every page.
 */
async function* iterateUserPages(database: Database): AsyncGenerator<UserProgressRow[]> {
  let after = '00000000-0000-0000-0000-000000000000';
  while (true) {
    const { rows } = await sql<UserProgressRow>`
      select u.id, ${selectWeeks(sql.ref('u.id'))} as weeks, ${selectValidationsGiven(sql.ref('u.id'))} as given
      from (
        select id from users u
        cross join lateral (
          (select from athlete_weeks where user_id = u.id order by user_id, week_key limit 1)
          union all
          (select from activities where decided_by = u.id and status = 'validated'
            order by decided_by, local_date limit 1)
          limit 1) something
        where id > ${after} and id <> ${DELETED_USER_ID}
        order by id limit ${PAGE_SIZE}) u
      order by u.id`.execute(database);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
