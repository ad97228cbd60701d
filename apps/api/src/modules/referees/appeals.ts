import type { Appeal } from '@sendlap/contract/referees.ts';
import { NAMELESS } from '@sendlap/domain/names.ts';
import { confirmableUntil, VALIDATION_WINDOW_MS } from '@sendlap/domain/scan-checks.ts';
import type { Sport } from '@sendlap/domain/scoring.ts';
import { sql } from 'kysely';
import type { Database } from '#api/platform/database.ts';

const MAX_APPEALS = 50;

interface AppealRow {
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
 * The newest 50 appeals that this user may decide now, newest first: at centers and for sports of theirs, neither their own
 * nor one that they rejected themselves, and while the athlete's code can still be scanned.
 */
export async function listOpenAppeals(database: Database, user_id: string, now: Date): Promise<Appeal[]> {
  const since = new Date(now.getTime() - VALIDATION_WINDOW_MS);
  const { rows } = await sql<AppealRow>`
    select a.id as client_id, coalesce(u.display_name, ${NAMELESS}) as athlete, a.sport_type, c.name as sport_center_name,
      a.started_at, a.ended_at, a.appeal_reason as reason, a.appealed_at
    from activities a
    join sport_centers c on c.id = a.sport_center_id
    join users u on u.id = a.user_id and u.is_active
    where a.status = 'finished' and a.appealed_at > ${since} and a.user_id <> ${user_id}
      and exists (select from referees r
        where r.user_id = ${user_id} and r.sport_center_id = a.sport_center_id and a.sport_type = any(r.sport_types)
          and r.valid_from <= ${now} and (r.valid_until is null or r.valid_until > ${now})
          and (r.revoked_at is null or r.revoked_at > ${now}))
      and not exists (select from decisions d
        where d.athlete_id = a.user_id and d.activity_id = a.id and d.scanner_id = ${user_id} and d.decision = 'reject')
    order by a.appealed_at desc, a.id limit ${MAX_APPEALS}`.execute(database);
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
