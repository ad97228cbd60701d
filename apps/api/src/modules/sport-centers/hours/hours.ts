import { isDeepStrictEqual } from 'node:util';
import {
  type CenterHours,
  getCenterHours,
  updateCenterHours,
} from '@sendlap/contract/center-management/center-hours.ts';
import type { OpeningHours } from '@sendlap/contract/wire/opening-hours.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import type { Route } from '#api/http/route.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import { AppError } from '#api/platform/errors.ts';
import { lockCenters } from '../edits/edits.ts';

export type CenterHoursService = ReturnType<typeof createCenterHoursService>;

/** The opening hours of centers, which only managers and operators set. */
export function createCenterHoursService(database: Database) {
  return {
    /** Throws `sport_center_not_found`. */
    getHours: (id: string): Promise<CenterHours> => readHours(database, id),
    /**
     * Throws `sport_center_not_found`, and `center_changed` if the hours were changed since `version` and
     * they are not the requested ones.
     */
    updateHours: (
      id: string,
      { version, weekly, closed_days }: OpeningHours & { version: number },
      actor_id: string,
    ): Promise<CenterHours> =>
      database.transaction().execute(async (trx) => {
        await lockCenters(trx, [id]);
        const before = await readHours(trx, id);
        const wanted = inOrder({ weekly, closed_days });
        if (isDeepStrictEqual(wanted, { weekly: before.weekly, closed_days: before.closed_days })) return before;
        if (version !== before.version)
          throw new AppError('center_changed', 'The hours were changed since; look at them again');
        const row = {
          version: version + 1,
          weekly: JSON.stringify(wanted.weekly),
          closed_days: JSON.stringify(wanted.closed_days),
        };
        await trx
          .insertInto('center_hours')
          .values({ sport_center_id: id, ...row })
          .onConflict((conflict) => conflict.column('sport_center_id').doUpdateSet(row))
          .execute();
        await recordAudit(trx, { act: 'center_hours_changed', actor_id, details: { sport_center_id: id } });
        return readHours(trx, id);
      }),
  };
}

export function mountCenterHours(route: Route, hours: CenterHoursService): void {
  route(getCenterHours, ({ params }) => hours.getHours(params.id));
  route(updateCenterHours, ({ params, body }, { user_id }) => hours.updateHours(params.id, body, user_id));
}

async function readHours(executor: Database | Trx, id: string): Promise<CenterHours> {
  const { rows } = await sql<CenterHours>`
    select coalesce(h.version, 0) as version, coalesce(h.weekly, '[[],[],[],[],[],[],[]]') as weekly,
      coalesce(h.closed_days, '[]') as closed_days, c.time_zone
    from sport_centers c left join center_hours h on h.sport_center_id = c.id where c.id = ${id}`.execute(executor);
  const [hours] = rows;
  if (!hours) throw new AppError('sport_center_not_found', 'No sport center has this id');
  return hours;
}

/** The earliest first, so that equal hours are equal texts. */
function inOrder({ weekly, closed_days }: OpeningHours): OpeningHours {
  return {
    weekly: weekly.map((intervals) => intervals.toSorted((a, b) => compare(a.opens, b.opens))),
    closed_days: closed_days.toSorted((a, b) => compare(a.from, b.from) || compare(a.until, b.until)),
  };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
