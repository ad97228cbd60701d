import { statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ServerOverview, StaffedCenter } from '@sendlap/contract/server-management/overview.ts';
import { WEEK_MS } from '@sendlap/domain/durations.ts';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { isInForce } from '#api/database/referee-in-force.ts';
import type { Env } from '#api/platform/env.ts';

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };
const MAX_CENTERS = 500;

export type OverviewService = ReturnType<typeof createOverviewService>;

interface Dependencies {
  database: Database;
  env: Pick<Env, 'SMTP_URL' | 'OIDC_ISSUER'>;
  data_dir: string;
  reviews: { countOpen(): Promise<number> };
  claims: { countWaiting(): Promise<number> };
  backups: { readState(): Promise<ServerOverview['backups']> };
  now: () => Date;
}

type Counts = Omit<ServerOverview['counts'], 'open_reviews' | 'open_claims'> &
  Pick<ServerOverview, 'database_bytes' | 'push_devices' | 'running_loads'>;

/** How the server is, and what waits for its operators. */
export function createOverviewService({ database, env, data_dir, reviews, claims, backups, now }: Dependencies) {
  return {
    async getServerOverview(): Promise<ServerOverview> {
      const [
        disk,
        backup_state,
        open_reviews,
        open_claims,
        { database_bytes, push_devices, running_loads, ...counts },
      ] = await Promise.all([
        readDisk(data_dir),
        backups.readState(),
        reviews.countOpen(),
        claims.countWaiting(),
        readCounts(database, now()),
      ]);
      return {
        version,
        database_bytes,
        disk,
        backups: backup_state,
        has_mail: env.SMTP_URL !== undefined,
        has_accounts: env.OIDC_ISSUER === undefined,
        push_devices,
        running_loads,
        counts: { ...counts, open_reviews, open_claims },
      };
    },
    listStaffedCenters: () => listStaffedCenters(database, now()),
  };
}

async function readDisk(data_dir: string): Promise<ServerOverview['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(data_dir);
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
  } catch {
    return null;
  }
}

async function readCounts(database: Database, now: Date): Promise<Counts> {
  const since = new Date(now.getTime() - WEEK_MS);
  const { rows } = await sql<Counts>`
    select pg_database_size(current_database())::float8 as database_bytes,
      (select count(*)::int from push_subscriptions) as push_devices,
      (select count(*)::int from area_loads where finished_at is null) as running_loads,
      (select count(*)::int from users where is_active) as people,
      (select count(*)::int from users where id <> ${DELETED_USER_ID} and created_at >= ${since}) as new_people,
      (select count(*)::int from sport_centers where closed_at is null) as centers,
      (select count(distinct sport_center_id)::int from (${selectStaff(now)}) staff) as staffed_centers,
      (select count(*)::int from activities where started_at >= ${since} and status <> 'deleted') as activities,
      (select count(*)::int from reports where handled_at is null) as open_reports`.execute(database);
  const [counts] = rows;
  if (!counts) throw new Error('a query of counts returned no row');
  return counts;
}

/** One row for each referee with a right now, and for each paired kiosk; a locked account confirms nothing. */
function selectStaff(now: Date) {
  return sql`
    select sport_center_id, null::uuid as user_id, last_used_at from kiosks where revoked_at is null
    union all
    select distinct r.sport_center_id, r.user_id, null::timestamptz from referees r join users u on u.id = r.user_id
    where u.is_active and ${isInForce(now)}`;
}

async function listStaffedCenters(database: Database, now: Date): Promise<StaffedCenter[]> {
  const { rows } = await sql<Omit<StaffedCenter, 'kiosk_used_at'> & { kiosk_used_at: Date | null }>`
    select c.id, c.name, c.city, c.closed_at is not null as is_closed,
      count(s.user_id)::int as referees, count(s.last_used_at)::int as kiosks, max(s.last_used_at) as kiosk_used_at
    from (${selectStaff(now)}) s join sport_centers c on c.id = s.sport_center_id
    group by c.id order by c.search_name, c.id limit ${MAX_CENTERS}`.execute(database);
  return rows.map((row) => ({ ...row, kiosk_used_at: row.kiosk_used_at?.toISOString() ?? null }));
}
