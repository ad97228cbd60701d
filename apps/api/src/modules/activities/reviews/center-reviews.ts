import { type CenterReview, listCenterReviews } from '@sendlap/contract/center-management/center-reviews.ts';
import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import type { Route } from '#api/http/route.ts';
import { assertCenterExists } from '#api/modules/managers/service.ts';
import type { StaffFlag } from '../points/flags.ts';
import { createReviewService } from './service.ts';

/** Managers see unusual patterns at their center, and can end rights; an operator takes decisions back. */
export function mountCenterReviews(route: Route, database: Database, now: () => Date): void {
  const reviews = createReviewService({ database, now });
  route(listCenterReviews, async ({ params }, { user_id }) => {
    await assertCenterExists(database, params.id);
    return { items: await presentReviews(database, await reviews.listOpenFlagsAt(params.id), user_id) };
  });
}

/** Without the flags about the caller, and about locked and erased accounts: managers see nothing of those. */
async function presentReviews(database: Database, flags: StaffFlag[], caller_id: string): Promise<CenterReview[]> {
  if (flags.length === 0) return [];
  const rows = flags.map(({ kind, scanner, athlete = null, count }) => ({ kind, scanner, athlete, count }));
  const found = await sql<CenterReview>`
    with flags as (
      select kind, scanner, athlete, count, ordinality
      from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as (kind text, scanner text, athlete text, count int)) with ordinality
    ), people as (
      select id, public_id, coalesce(display_name, ${DEFAULT_DISPLAY_NAME}) as shown from users
      where is_active
    )
    select f.kind, s.shown as scanner, u.shown as athlete, s.public_id as scanner_public_id,
      u.public_id as athlete_public_id, f.count
    from flags f
    join people s on s.public_id = f.scanner
    left join people u on u.public_id = f.athlete
    where s.id <> ${caller_id} and u.id is distinct from ${caller_id} and (f.athlete is null or u.id is not null)
    order by f.ordinality`.execute(database);
  return found.rows;
}
