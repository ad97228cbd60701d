import type { PersonRef } from '@sendlap/contract/server-management/people.ts';
import type { Review, ReviewKind } from '@sendlap/contract/server-management/reviews.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import type { Flag } from '../points/flags.ts';

type Decision = Review['decisions'][number];

/** Returns the decisions with these ids. */
export async function findDecisions(database: Database, ids: string[]): Promise<Map<string, Decision>> {
  const { rows } = await sql<Omit<Decision, 'scanned_at'> & { scanned_at: Date }>`
    select d.id, d.scanned_at, d.decision, jsonb_build_object('public_id', u.public_id, 'name', u.name) as athlete,
      a.sport_type, c.name as sport_center_name, a.points
    from decisions d join users u on u.id = d.athlete_id
    join activities a on a.user_id = d.athlete_id and a.id = d.activity_id
    join sport_centers c on c.id = a.sport_center_id
    where d.id = any(${ids}::uuid[])`.execute(database);
  return new Map(rows.map((row) => [row.id, { ...row, scanned_at: row.scanned_at.toISOString() }]));
}

interface PersonRow extends PersonRef {
  id: string;
}

/** Returns users by their public ids. */
export async function findPeople(executor: Database | Trx, public_ids: string[]): Promise<Map<string, PersonRow>> {
  const rows =
    public_ids.length === 0
      ? []
      : await executor
          .selectFrom('users')
          .select(['id', 'public_id', 'name'])
          .where('public_id', 'in', public_ids)
          .execute();
  return new Map(rows.map((row) => [row.public_id, row]));
}

/** When a flag was last kept, by `keyOf`. */
export async function listKeptReviews(database: Database): Promise<Map<string, Date>> {
  const { rows } = await sql<{ kind: string; scanner: string; athlete: string; kept_at: Date }>`
    select kind, s.public_id as scanner, u.public_id as athlete, kept_at
    from kept_reviews k join users s on s.id = k.scanner_id join users u on u.id = k.athlete_id`.execute(database);
  return new Map(rows.map(({ kept_at, ...row }) => [keyOf(row), kept_at]));
}

export function keyOf({ kind, scanner, athlete = scanner }: Pick<Flag, 'scanner' | 'athlete'> & { kind: string }) {
  return `${kind} ${scanner} ${athlete}`;
}

export async function saveKeptReview(
  trx: Trx,
  review: { kind: ReviewKind; scanner_id: string; athlete_id: string; kept_at: Date },
): Promise<void> {
  await trx
    .insertInto('kept_reviews')
    .values(review)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'scanner_id', 'athlete_id']).doUpdateSet({ kept_at: review.kept_at }),
    )
    .execute();
}
