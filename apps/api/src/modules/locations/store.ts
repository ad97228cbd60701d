import { distanceKm } from '@sendlap/domain/geo.ts';
import { type Selectable, sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import type { Tables } from '#api/database/tables.ts';

export type LocationRow = Selectable<Tables['user_locations']>;

/** Returns the location of a user, however old. `lock`: blocks other writers until the transaction ends. */
export async function findLocation(
  executor: Database | Trx,
  user_id: string,
  { lock = false } = {},
): Promise<LocationRow | undefined> {
  const query = executor.selectFrom('user_locations').selectAll().where('user_id', '=', user_id);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

/**
 * Replaces the user's location, unless the stored one is newer: then nothing changes and it returns undefined. A center
 * that does not exist (any longer) becomes null.
 */
export async function saveLocation(executor: Database | Trx, row: LocationRow): Promise<LocationRow | undefined> {
  return executor
    .insertInto('user_locations')
    .values((eb) => ({
      ...row,
      sport_center_id: eb.selectFrom('sport_centers').select('id').where('id', '=', row.sport_center_id),
    }))
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet((eb) => ({
          latitude: eb.ref('excluded.latitude'),
          longitude: eb.ref('excluded.longitude'),
          accuracy_m: eb.ref('excluded.accuracy_m'),
          located_at: eb.ref('excluded.located_at'),
          sport_center_id: eb.ref('excluded.sport_center_id'),
          received_at: eb.ref('excluded.received_at'),
        }))
        .whereRef('user_locations.located_at', '<=', 'excluded.located_at'),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Deletes locations of this time or older; returns their users and centers. */
export async function deleteLocations(
  database: Database,
  located_until: Date,
): Promise<Pick<LocationRow, 'user_id' | 'sport_center_id'>[]> {
  return database
    .deleteFrom('user_locations')
    .where('located_at', '<=', located_until)
    .returning(['user_id', 'sport_center_id'])
    .execute();
}

/** Returns those of these users who share their location with friends, with their location; without locked accounts. */
export async function listSharers(database: Database, user_ids: string[]) {
  return database
    .selectFrom('users')
    .leftJoin('user_locations', 'user_locations.user_id', 'users.id')
    .leftJoin('bio_info', 'bio_info.user_id', 'users.id')
    .select(['users.id', 'age', 'located_at', 'sport_center_id'])
    .where('users.id', '=', sql<string>`any(${user_ids}::uuid[])`)
    .where('presence', '=', true)
    .where('is_active', '=', true)
    .execute();
}

/** The data that decides whether and how a user is shown at a center. Holds no position. */
export interface PersonAtCenter {
  id: string;
  display_name: string | null;
  public_id: string;
  presence: boolean;
  age: number | null;
  sport_center_id: string;
  /** Distance from the center's current position: it may have moved since. */
  distance_km: number;
  located_at: Date;
}

/**
 * Lists those of these users whose location is at one of the centers and whose account is not locked, in a stable
 * order. A closed center has no people.
 */
export async function listPeopleAtCenters(
  database: Database,
  user_ids: string[],
  sport_center_ids: string[],
): Promise<PersonAtCenter[]> {
  const rows = await database
    .selectFrom('user_locations')
    .innerJoin('users', 'users.id', 'user_locations.user_id')
    .innerJoin('sport_centers', 'sport_centers.id', 'sport_center_id')
    .leftJoin('bio_info', 'bio_info.user_id', 'users.id')
    .select(['users.id', 'display_name', 'public_id', 'presence', 'age', 'located_at'])
    .select(['sport_centers.id as sport_center_id', 'user_locations.latitude', 'user_locations.longitude'])
    .select(['sport_centers.latitude as center_latitude', 'sport_centers.longitude as center_longitude'])
    .where('users.id', '=', sql<string>`any(${user_ids}::uuid[])`)
    .where('sport_center_id', '=', sql<string>`any(${sport_center_ids}::uuid[])`)
    .where('closed_at', 'is', null)
    .where('users.is_active', '=', true)
    .orderBy('display_name', (order) => order.asc().nullsLast())
    .orderBy('users.id')
    .execute();
  return rows.map(({ latitude, longitude, center_latitude, center_longitude, ...person }) => ({
    ...person,
    distance_km: distanceKm({ latitude, longitude }, { latitude: center_latitude, longitude: center_longitude }),
  }));
}
