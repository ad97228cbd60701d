import { statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Overview } from '@sendlap/contract/manage/overview.ts';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import type { TileService } from '#api/modules/tiles/service.ts';
import type { Env } from '#api/platform/env.ts';

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };
const WEEK_MS = 7 * 86_400_000;

export type OverviewService = ReturnType<typeof createOverviewService>;

interface Dependencies {
  database: Database;
  env: Pick<Env, 'SMTP_URL' | 'OIDC_ISSUER'>;
  tiles: Pick<TileService, 'hasStreets'>;
  data_dir: string;
  reviews: { countOpen(): Promise<number> };
  now: () => Date;
}

type Counts = Omit<Overview['counts'], 'open_reviews'> &
  Pick<Overview, 'database_bytes' | 'push_devices' | 'running_loads'>;

/** How the server is, and what waits for its operators. */
export function createOverviewService({ database, env, tiles, data_dir, reviews, now }: Dependencies) {
  return {
    async getOverview(): Promise<Overview> {
      const [disk, has_streets, open_reviews, { database_bytes, push_devices, running_loads, ...counts }] =
        await Promise.all([readDisk(data_dir), tiles.hasStreets(), reviews.countOpen(), readCounts(database, now())]);
      return {
        version,
        database_bytes,
        disk,
        has_mail: env.SMTP_URL !== undefined,
        has_streets,
        has_accounts: env.OIDC_ISSUER === undefined,
        push_devices,
        running_loads,
        counts: { ...counts, open_reviews },
      };
    },
  };
}

async function readDisk(data_dir: string): Promise<Overview['disk']> {
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
      (select count(*)::int from (
        select sport_center_id from kiosks where revoked_at is null
        union select sport_center_id from referees r
        where valid_from <= ${now} and (revoked_at is null or revoked_at > ${now})
          and (valid_until is null or valid_until > ${now})) staffed) as staffed_centers,
      (select count(*)::int from activities where started_at >= ${since} and status <> 'deleted') as activities,
      (select count(*)::int from reports where handled_at is null) as open_reports`.execute(database);
  const [counts] = rows;
  if (!counts) throw new Error('a query of counts returned no row');
  return counts;
}
