import { createHash } from 'node:crypto';
import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { type Selectable, sql } from 'kysely';
import type { Database } from '#api/platform/database.ts';
import type { Tables } from '#api/platform/tables.ts';

/** A cheap fingerprint of all centers; it changes with every change that an import makes. */
export async function readDataVersion(database: Database): Promise<string> {
  const row = await database
    .selectFrom('sport_centers')
    .select([sql<number>`count(*)`.as('count'), sql<string | null>`max(updated_at)::text`.as('latest')])
    .executeTakeFirstOrThrow();
  return createHash('sha256').update(`${row.count} ${row.latest}`).digest('base64url').slice(0, 16);
}

/** All centers that are not closed, in no particular order. */
export async function readOpenCenters(database: Database): Promise<SportCenter[]> {
  const [centers, facilities] = await Promise.all([
    database.selectFrom('sport_centers').selectAll().where('closed_at', 'is', null).execute(),
    database.selectFrom('sport_facilities').selectAll().orderBy('type').execute(),
  ]);
  const byCenter = Map.groupBy(facilities, (facility) => facility.sport_center_id);
  return centers.map((center) => toSportCenter(center, byCenter.get(center.id) ?? []));
}

function toSportCenter(
  center: Selectable<Tables['sport_centers']>,
  facilities: Selectable<Tables['sport_facilities']>[],
): SportCenter {
  return {
    id: center.id,
    name: center.name,
    address: center.address,
    city: center.city,
    country: center.country,
    latitude: center.latitude,
    longitude: center.longitude,
    phone: center.phone,
    url: center.url,
    is_private: center.is_private,
    time_zone: center.time_zone,
    attribution: center.attribution,
    licence: center.licence,
    sport_facilities: facilities.map((facility) => ({
      id: facility.id,
      sport_center_id: facility.sport_center_id,
      type: facility.type,
      created_at: facility.created_at.toISOString(),
      updated_at: facility.updated_at.toISOString(),
    })),
    created_at: center.created_at.toISOString(),
    updated_at: center.updated_at.toISOString(),
  };
}
