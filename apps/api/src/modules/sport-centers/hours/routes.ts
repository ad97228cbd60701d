import { getCenterHours, updateCenterHours } from '@sendlap/contract/center-management/center-hours.ts';
import type { Route } from '#api/http/route.ts';
import type { CenterHoursService } from './hours.ts';

export function mountCenterHours(route: Route, hours: CenterHoursService): void {
  route(getCenterHours, ({ params }) => hours.getHours(params.id));
  route(updateCenterHours, ({ params, body }, { user_id }) => hours.updateHours(params.id, body, user_id));
}
