import {
  getUserLocation,
  listPresentUsers,
  saveUserLocation,
  updateUserLocation,
} from '@sendlap/contract/locations.ts';
import type { Route } from '#api/http/route.ts';
import type { LocationService } from './service.ts';

export function mountLocations(route: Route, locations: LocationService): void {
  route(saveUserLocation, ({ body }, { user_id }) => locations.saveUserLocation(user_id, body));
  route(updateUserLocation, ({ body }, { user_id }) => locations.updateUserLocation(user_id, body));
  route(listPresentUsers, ({ body }, { user_id }) => locations.listPresentUsers(user_id, body.sport_center_ids));
  route(getUserLocation, (_input, { user_id }) => locations.getUserLocation(user_id));
}
