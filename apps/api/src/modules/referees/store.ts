import { randomUUID } from 'node:crypto';
import type { Appeal } from '@sendlap/contract/referees.ts';
import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import { confirmableUntil, VALIDATION_WINDOW_MS } from '@sendlap/domain/scan-checks.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import { isInForce } from '#api/database/referee-in-force.ts';

/** Validity of a right: from `valid_from` on, before the two others; null: no end. */
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

/** Lists all rights the user ever had; newest first. */
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

/** Whether the user ever had a right at this center, valid or not. */
export async function hadRightAt(database: Database, user_id: string, sport_center_id: string): Promise<boolean> {
  const right = await database
    .selectFrom('referees')
    .select('user_id')
    .where('user_id', '=', user_id)
    .where('sport_center_id', '=', sport_center_id)
    .limit(1)
    .executeTakeFirst();
  return right !== undefined;
}

/** Returns the sports that have a referee at this center now, ignoring locked accounts. */
export async function listRefereedSports(database: Database, sport_center_id: string, now: Date): Promise<Sport[]> {
  const { rows } = await sql<{ sport: Sport }>`
    select distinct unnest(r.sport_types) as sport from referees r join users u on u.id = r.user_id
    where r.sport_center_id = ${sport_center_id} and u.is_active and ${isInForce(now)}
    order by sport`.execute(database);
  return rows.map((row) => row.sport);
}

/** Lists the referees of this sport at this center at this moment, without locked accounts. */
export async function listRefereesAt(
  database: Database | Trx,
  { sport_center_id, sport_type }: { sport_center_id: string; sport_type: Sport },
  at: Date,
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct r.user_id from referees r join users u on u.id = r.user_id
    where r.sport_center_id = ${sport_center_id} and ${sport_type} = any(r.sport_types) and u.is_active
      and ${isInForce(at)}`.execute(database);
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

/**
 * Ends the rights of a user at a center at a moment, unless they ended earlier; returns the number of changed rights.
 */
export async function revokeRights(
  trx: Trx,
  { user_id, sport_center_id, at }: { user_id: string; sport_center_id: string; at: Date },
): Promise<number> {
  const result = await trx
    .updateTable('referees')
    .set({ revoked_at: at })
    .where('user_id', '=', user_id)
    .where('sport_center_id', '=', sport_center_id)
    .where(({ or, eb }) => or([eb('revoked_at', 'is', null), eb('revoked_at', '>', at)]))
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

export const MAX_APPEALS = 50;

export interface AppealRow {
  client_id: string;
  athlete: string;
  sport_type: Sport;
  sport_center_name: string;
  started_at: Date;
  ended_at: Date;
  reason: string | null;
  appealed_at: Date;
}

/**
 * Lists the newest 50 appeals that this user may decide now, newest first: at their centers and for their sports,
 * neither their own nor one they rejected, and while the athlete's code can still be scanned.
 */
export async function listOpenAppeals(database: Database, user_id: string, now: Date): Promise<Appeal[]> {
  const since = new Date(now.getTime() - VALIDATION_WINDOW_MS);
  const { rows } = await sql<AppealRow>`
    select a.id as client_id, coalesce(u.display_name, ${DEFAULT_DISPLAY_NAME}) as athlete, a.sport_type, c.name as sport_center_name,
      a.started_at, a.ended_at, a.appeal_reason as reason, a.appealed_at
    from activities a
    join sport_centers c on c.id = a.sport_center_id
    join users u on u.id = a.user_id and u.is_active
    where a.status = 'finished' and a.appealed_at > ${since} and a.user_id <> ${user_id}
      and exists (select from referees r
        where r.user_id = ${user_id} and r.sport_center_id = a.sport_center_id and a.sport_type = any(r.sport_types)
          and ${isInForce(now)})
      and not exists (select from decisions d
        where d.athlete_id = a.user_id and d.activity_id = a.id and d.scanner_id = ${user_id} and d.decision = 'reject')
    order by a.appealed_at desc, a.id limit ${MAX_APPEALS}`.execute(database);
  return presentOpenAppeals(rows, now);
}

/** The appeals whose code can still be scanned. */
export function presentOpenAppeals<Row extends Pick<AppealRow, 'started_at' | 'ended_at' | 'appealed_at'>>(
  rows: Row[],
  now: Date,
) {
  return rows
    .map(({ started_at, ended_at, appealed_at, ...appeal }) => ({
      ...appeal,
      started_at: started_at.toISOString(),
      ended_at: ended_at.toISOString(),
      appealed_at: appealed_at.toISOString(),
      open_until: new Date(confirmableUntil(ended_at.getTime(), appealed_at.getTime())).toISOString(),
    }))
    .filter(({ open_until }) => Date.parse(open_until) > now.getTime());
}
