import { listMyRefereeRights } from '@sendlap/contract/referees.ts';
import type { Route } from '#api/platform/route.ts';
import type { RefereeService } from './service.ts';

export function mountReferees(route: Route, referees: RefereeService): void {
  route(listMyRefereeRights, async (_input, caller) => ({
    items: await referees.listMyRefereeRights(caller.user_id, new Date()),
    next_cursor: null,
  }));
}
