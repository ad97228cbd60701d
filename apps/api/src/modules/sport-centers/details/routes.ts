import { getCenterDetails, updateCenterDetails } from '@sendlap/contract/center-management/center-details.ts';
import type { Route } from '#api/http/route.ts';
import type { CenterDetailsService } from './details.ts';

export function mountCenterDetails(route: Route, details: CenterDetailsService): void {
  route(getCenterDetails, ({ params }) => details.getDetails(params.id));
  route(updateCenterDetails, ({ params, body }, { user_id }) => details.updateDetails(params.id, body, user_id));
}
