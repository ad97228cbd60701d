import { listAppeals, listMyRefereeRights, redeemRefereeInvite } from '@sendlap/contract/referees.ts';
import type { Route } from '#api/http/route.ts';
import type { RefereeService } from './service.ts';

export function mountReferees(route: Route, referees: RefereeService, now: () => Date): void {
  route(listMyRefereeRights, async (_input, caller) => ({
    items: await referees.listMyRefereeRights(caller.user_id, now()),
    next_cursor: null,
  }));
  route(listAppeals, async (_input, caller) => ({
    items: await referees.listAppeals(caller.user_id, now()),
    next_cursor: null,
  }));
  route(redeemRefereeInvite, ({ body }, caller) => referees.redeemInvite(caller.user_id, body.code, now()));
}
