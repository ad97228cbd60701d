import type { CenterStaff } from '@sendlap/contract/center-management/center-staff.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { isInForce } from '#api/database/referee-in-force.ts';

export interface StaffedCenter {
  id: string;
  name: string;
  time_zone: string;
  sports: Sport[];
  is_closed: boolean;
}

/** Returns a center with its sports, closed or not. */
export async function findStaffedCenter(database: Database, id: string): Promise<StaffedCenter | undefined> {
  const { rows } = await sql<StaffedCenter>`
    select c.id, c.name, c.time_zone, c.closed_at is not null as is_closed,
      array(select distinct f.type from sport_facilities f where f.sport_center_id = c.id order by 1) as sports
    from sport_centers c where c.id = ${id}`.execute(database);
  return rows[0];
}

/**
 * Managers, the longest-serving first; referees with a right now, by name; both without locked accounts. Kiosks that are
 * not revoked, newest first.
 */
export async function listStaff(database: Database, sport_center_id: string, now: Date): Promise<CenterStaff> {
  interface RefereeRow {
    public_id: string;
    name: string;
    sport_types: Sport[];
    valid_until: Date | null;
  }
  const [managers, referees, kiosks] = await Promise.all([
    listActiveManagers(database, sport_center_id),
    sql<RefereeRow>`
      select u.public_id, u.name, array_agg(distinct sport order by sport) as sport_types,
        case when bool_or(r.valid_until is null) then null else max(r.valid_until) end as valid_until
      from referees r join users u on u.id = r.user_id, unnest(r.sport_types) sport
      where r.sport_center_id = ${sport_center_id} and u.is_active and ${isInForce(now)}
      group by u.id order by lower(u.name), u.public_id`.execute(database),
    database
      .selectFrom('kiosks')
      .select(['id', 'created_at', 'last_used_at'])
      .where('sport_center_id', '=', sport_center_id)
      .where('revoked_at', 'is', null)
      .orderBy('created_at', 'desc')
      .execute(),
  ]);
  return {
    managers,
    referees: referees.rows.map(({ valid_until, ...referee }) => ({
      ...referee,
      valid_until: valid_until?.toISOString() ?? null,
    })),
    kiosks: kiosks.map(({ id, created_at, last_used_at }) => ({
      id,
      paired_at: created_at.toISOString(),
      last_used_at: last_used_at.toISOString(),
    })),
  };
}

async function listActiveManagers(database: Database, sport_center_id: string): Promise<CenterStaff['managers']> {
  const managers = await database
    .selectFrom('managers')
    .innerJoin('users', 'users.id', 'managers.user_id')
    .select(['users.public_id', 'users.name', 'managers.granted_at'])
    .where('sport_center_id', '=', sport_center_id)
    .where('users.is_active', '=', true)
    .orderBy('managers.granted_at')
    .orderBy('users.public_id')
    .execute();
  return managers.map(({ granted_at, ...manager }) => ({ ...manager, granted_at: granted_at.toISOString() }));
}
