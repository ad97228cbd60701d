import { type CenterAppeal, listCenterAppeals } from '@sendlap/contract/center-management/center-appeals.ts';
import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import { VALIDATION_WINDOW_MS } from '@sendlap/domain/scan-checks.ts';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { isInForce } from '#api/database/referee-in-force.ts';
import type { Route } from '#api/http/route.ts';
import { assertCenterExists } from '#api/modules/managers/service.ts';
import { type AppealRow, MAX_APPEALS, presentOpenAppeals } from './store.ts';

/** Managers see a center's appeals; only referees decide them, by a scan of the athlete's code. */
export function mountCenterAppeals(route: Route, database: Database, now: () => Date): void {
  route(listCenterAppeals, async ({ params }, { user_id }) => {
    await assertCenterExists(database, params.id);
    return { items: await listOpenAppealsAt(database, { sport_center_id: params.id, user_id }, now()) };
  });
}

interface CenterAppealRow extends Omit<AppealRow, 'sport_center_name'> {
  referees: CenterAppeal['referees'];
  can_decide: boolean;
}

/**
 * Lists the newest 50 appeals at a center while the athlete's code can still be scanned, newest first. With the referees
 * for the sport now, without the athlete, those who rejected it and locked accounts.
 */
async function listOpenAppealsAt(
  database: Database,
  { sport_center_id, user_id }: { sport_center_id: string; user_id: string },
  now: Date,
): Promise<CenterAppeal[]> {
  const since = new Date(now.getTime() - VALIDATION_WINDOW_MS);
  const { rows } = await sql<CenterAppealRow>`
    select a.id as client_id, coalesce(u.display_name, ${DEFAULT_DISPLAY_NAME}) as athlete, a.sport_type, a.started_at,
      a.ended_at, a.appeal_reason as reason, a.appealed_at,
      coalesce(deciders.referees, '[]') as referees, coalesce(deciders.can_decide, false) as can_decide
    from activities a
    join users u on u.id = a.user_id and u.is_active
    cross join lateral (
      select jsonb_agg(jsonb_build_object('public_id', d.public_id, 'name', d.name) order by lower(d.name), d.public_id)
          as referees, bool_or(d.id = ${user_id}) as can_decide
      from users d
      where d.is_active and d.id <> a.user_id
        and exists (select from referees r
          where r.user_id = d.id and r.sport_center_id = a.sport_center_id and a.sport_type = any(r.sport_types)
            and ${isInForce(now)})
        and not exists (select from decisions
          where athlete_id = a.user_id and activity_id = a.id and scanner_id = d.id and decision = 'reject')
    ) as deciders
    where a.sport_center_id = ${sport_center_id} and a.status = 'finished' and a.appealed_at > ${since}
    order by a.appealed_at desc, a.id limit ${MAX_APPEALS}`.execute(database);
  return presentOpenAppeals(rows, now);
}
