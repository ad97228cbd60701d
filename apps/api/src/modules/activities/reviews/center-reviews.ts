import { type CenterReview, listCenterReviews } from '@sendlap/contract/center-management/center-reviews.ts';
import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import type { Route } from '#api/http/route.ts';
import type { Flag } from '../points/flags.ts';
import { createReviewService } from './service.ts';

/** Managers see unusual patterns at their center, and can end rights; an operator takes decisions back. */
export function mountCenterReviews(route: Route, database: Database, now: () => Date): void {
  const reviews = createReviewService({ database, now });
  route(listCenterReviews, async ({ params }, { user_id }) => ({
    items: await listReviewsAt(database, await reviews.listOpenFlagsOfStaff(), { sport_center_id: params.id, user_id }),
  }));
}

/** Without the flags about the caller. */
async function listReviewsAt(
  database: Database,
  flags: Flag[],
  { sport_center_id, user_id }: { sport_center_id: string; user_id: string },
): Promise<CenterReview[]> {
  if (flags.length === 0) return [];
  const rows = flags.map(({ kind, scanner, athlete = null, decisions }) => ({ kind, scanner, athlete, decisions }));
  const found = await sql<CenterReview>`
    with flags as (
      select kind, scanner, athlete, decisions, ordinality
      from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as (kind text, scanner text, athlete text, decisions uuid[])) with ordinality
    )
    select f.kind, coalesce(s.display_name, ${DEFAULT_DISPLAY_NAME}) as scanner,
      case when f.athlete is not null then coalesce(u.display_name, ${DEFAULT_DISPLAY_NAME}) end as athlete,
      count(d.id)::int as count
    from flags f
    join users s on s.public_id = f.scanner
    left join users u on u.public_id = f.athlete
    join decisions d on d.id = any(f.decisions) and d.facts ->> 'sport_center_id' = ${sport_center_id}
    where s.id <> ${user_id} and u.id is distinct from ${user_id}
    group by f.kind, f.ordinality, s.display_name, f.athlete, u.display_name
    order by f.ordinality`.execute(database);
  return found.rows;
}
