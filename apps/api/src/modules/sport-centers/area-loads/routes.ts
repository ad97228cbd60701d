import { cancelAreaLoad, getAreaLoad, listAreaLoads, requestAreaLoad } from '@sendlap/contract/area-loads.ts';
import type { Route } from '#api/http/route.ts';
import type { AreaLoadService } from './area-loads.ts';

export function mountAreaLoads(route: Route, area_loads: AreaLoadService): void {
  route(requestAreaLoad, ({ body }, { user_id }) => area_loads.request(body, user_id));
  route(getAreaLoad, ({ params }, { user_id }) => area_loads.get(params.id, user_id));
  route(listAreaLoads, async (_input, { user_id }) => ({ items: await area_loads.list(user_id), next_cursor: null }));
  route(cancelAreaLoad, ({ params }, { user_id }) => area_loads.cancel(params.id, user_id));
}
