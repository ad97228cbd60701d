import { cancelStreetLoad, listStreetLoads, requestStreetLoad } from '@sendlap/contract/map/street-loads.ts';
import type { Route } from '#api/http/route.ts';
import type { StreetLoadService } from './street-loads.ts';

export function mountStreetLoads(route: Route, street_loads: StreetLoadService): void {
  route(requestStreetLoad, ({ body }, { user_id }) => street_loads.request(body.town_id, user_id));
  route(listStreetLoads, async () => street_loads.list());
  route(cancelStreetLoad, ({ params }, { user_id }) => street_loads.cancel(params.id, user_id));
}
