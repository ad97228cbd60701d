import { randomUUID } from 'node:crypto';
import type { Sport } from '@sendlap/domain/scoring.ts';
import type { Database, Trx } from '#api/platform/database.ts';

export interface Right {
  sport_center_id: string;
  sport_center_name: string;
  sport_types: Sport[];
  valid_from: Date;
  valid_until: Date | null;
  revoked_at: Date | null;
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

export async function insertRight(
  database: Database,
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

/** Ends the rights of a user at a center from now on; gives how many there were. */
export async function revokeRights(
  database: Database,
  user_id: string,
  sport_center_id: string,
  now: Date,
): Promise<number> {
  const result = await database
    .updateTable('referees')
    .set({ revoked_at: now })
    .where('user_id', '=', user_id)
    .where('sport_center_id', '=', sport_center_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}
