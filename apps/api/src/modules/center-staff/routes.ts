import {
  getCenterStaff,
  inviteKiosk,
  inviteManager,
  inviteReferee,
  revokeKiosks,
  revokeManager,
  revokeReferee,
} from '@sendlap/contract/center-management/center-staff.ts';
import type { Route } from '#api/http/route.ts';
import type { CenterStaffService } from './service.ts';

export function mountCenterStaff(route: Route, staff: CenterStaffService): void {
  route(getCenterStaff, ({ params }) => staff.getStaff(params.id));
  route(inviteReferee, ({ params, body }, { user_id }) => staff.inviteReferee(params.id, body.sport_types, user_id));
  route(revokeReferee, ({ params }, { user_id }) => staff.revokeReferee(params.id, params.public_id, user_id));
  route(inviteManager, ({ params }, { user_id }) => staff.inviteManager(params.id, user_id));
  route(revokeManager, ({ params }, { user_id }) => staff.revokeManager(params.id, params.public_id, user_id));
  route(inviteKiosk, ({ params }, { user_id }) => staff.inviteKiosk(params.id, user_id));
  route(revokeKiosks, ({ params }, { user_id }) => staff.revokeKiosks(params.id, user_id));
}
