import { randomUUID } from 'node:crypto';
import type { Sport } from '@sendlap/domain/scoring.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/platform/database.ts';

/** While a right counts: from the first moment on, before the two others; null: no end. */
export interface RightPeriod {
  valid_from: Date;
  valid_until: Date | null;
  revoked_at: Date | null;
}

export interface Right extends RightPeriod {
  sport_center_id: string;
  sport_center_name: string;
  sport_types: Sport[];
}

/** All rights that a user ever had; newest first. */
export async function listRights(database: Database | Trx, user_id: string): Promise<Right[]> {
  return database
    .selectFrom('referees')
    .innerJoin('sport_centers', 'sport_centers.id', 'referees.sport_center_id')
    .select([
      'sport_center_id',
      'sport_centers.name as sport_center_name',
      'sport_types',
      'valid_from',
      'valid_until',
      'revoked_at',
    ])
    .where('user_id', '=', user_id)
    .orderBy('valid_from', 'desc')
    .execute();
}

/** The same of one center, without its name: one look into an index. */
export async function listRightsAt(
  database: Database | Trx,
  user_id: string,
  sport_center_id: string,
): Promise<(RightPeriod & { sport_types: Sport[] })[]> {
  return database
    .selectFrom('referees')
    .select(['sport_types', 'valid_from', 'valid_until', 'revoked_at'])
    .where('user_id', '=', user_id)
    .where('sport_center_id', '=', sport_center_id)
    .execute();
}

/** The sports that anybody may confirm at this center now, without those whose account is locked. */
export async function listRefereedSports(database: Database, sport_center_id: string, now: Date): Promise<Sport[]> {
  const { rows } = await sql<{ sport: Sport }>`
    select distinct unnest(r.sport_types) as sport from referees r join users u on u.id = r.user_id
    where r.sport_center_id = ${sport_center_id} and u.is_active and r.revoked_at is null
      and r.valid_from <= ${now} and (r.valid_until is null or r.valid_until > ${now})
    order by sport`.execute(database);
  return rows.map((row) => row.sport);
}

/** Who may confirm this sport at this center at this moment, without those whose account is locked. */
export async function listRefereesAt(
  database: Database | Trx,
  { sport_center_id, sport_type }: { sport_center_id: string; sport_type: Sport },
  at: Date,
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct r.user_id from referees r join users u on u.id = r.user_id
    where r.sport_center_id = ${sport_center_id} and ${sport_type} = any(r.sport_types) and u.is_active
      and r.valid_from <= ${at} and (r.valid_until is null or r.valid_until > ${at})
      and (r.revoked_at is null or r.revoked_at > ${at})`.execute(database);
  return rows.map((row) => row.user_id);
}

export async function insertRight(
  database: Database | Trx,
  right: {
    user_id: string;
    sport_center_id: string;
    sport_types: Sport[];
    granted_by: string;
    valid_from: Date;
    valid_until: Date | null;
  },
): Promise<void> {
  await database
    .insertInto('referees')
    .values({ id: randomUUID(), ...right })
    .execute();
}

/** Ends the rights of a user at a center at a moment, unless they ended before; gives how many that changed. */
export async function revokeRights(
  database: Database,
  user_id: string,
  sport_center_id: string,
  at: Date,
): Promise<number> {
  const result = await database
    .updateTable('referees')
    .set({ revoked_at: at })
    .where('user_id', '=', user_id)
    .where('sport_center_id', '=', sport_center_id)
    .where(({ or, eb }) => or([eb('revoked_at', 'is', null), eb('revoked_at', '>', at)]))
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}
