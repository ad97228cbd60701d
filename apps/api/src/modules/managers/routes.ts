import { listMyManagerRights, redeemManagerInvite } from '@sendlap/contract/center-management/managers.ts';
import type { Route } from '#api/http/route.ts';
import type { ManagerService } from './service.ts';

export function mountManagers(route: Route, managers: ManagerService): void {
  route(listMyManagerRights, async (_input, { user_id }) => ({
    items: await managers.listRights(user_id),
    next_cursor: null,
  }));
  route(redeemManagerInvite, ({ body }, { user_id }) => managers.redeemInvite(user_id, body.code));
}
