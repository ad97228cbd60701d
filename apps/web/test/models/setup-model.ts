import { type AreaLoad, cancelAreaLoad, listAreaLoads, requestAreaLoad } from '@sendlap/contract/area-loads.ts';
import {
  cancelStreetLoad,
  listStreetLoads,
  requestStreetLoad,
  type StreetLoad,
} from '@sendlap/contract/map/street-loads.ts';
import { getMyOperatorRight, redeemOperatorInvite } from '@sendlap/contract/operators.ts';
import { getServerProfile, type ServerProfile, updateServerProfile } from '@sendlap/contract/server-profile.ts';
import { searchTowns, type Town } from '@sendlap/contract/towns.ts';
import type { FakeServer } from './fake-server.ts';
import { SERVER_PROFILE } from './signed-in.ts';

export const BILBAO: Town = {
  id: 'geonames:3128026',
  name: 'Bilbao',
  name_es: null,
  country: 'ES',
  latitude: 43.26271,
  longitude: -2.92528,
  radius_km: 12,
  population: 345_110,
};
/** A load of Bilbao that is under way. */
export const LOAD: AreaLoad = {
  id: 'aaaaaaaa-1111-4111-8111-111111111111',
  town_id: 'geonames:3128026',
  name: 'Bilbao',
  can_cancel: true,
  status: 'fetching',
  fetched: 0,
  total: 2,
  retry_at: null,
  report: null,
  failure: null,
  requested_at: '2026-11-26T10:00:00.000Z',
  finished_at: null,
};
const REPORT = { read: 50, imported: 1, updated: 0, unchanged: 40, merged: 2, refused: 5, closed: 2, missing: 3 };
export const DONE: AreaLoad = { ...LOAD, status: 'done', fetched: 2, report: REPORT, finished_at: LOAD.requested_at };

/** A load of Bilbao's streets that is under way. */
export const STREETS: StreetLoad = {
  id: 'bbbbbbbb-1111-4111-8111-111111111111',
  town_id: BILBAO.id,
  name: 'Bilbao',
  status: 'fetching',
  fetched: 3_200_000,
  total: 12_000_000,
  radius_km: null,
  failure: null,
  requested_at: '2026-11-27T10:00:00.000Z',
  finished_at: null,
};
export const STREETS_DONE: StreetLoad = {
  ...STREETS,
  status: 'done',
  fetched: STREETS.total,
  radius_km: 12,
  finished_at: STREETS.requested_at,
};

/** A server whose operator is the signed-in athlete, with what it stores. */
export class SetupModel {
  profile: ServerProfile = { ...SERVER_PROFILE };
  loads: AreaLoad[] = [];
  street_loads: StreetLoad[] = [];
  /** Whether MAP_STREETS is set. */
  has_street_setting = false;
  is_operator = true;

  constructor(server: FakeServer) {
    server.on(getMyOperatorRight, () => ({ is_operator: this.is_operator }));
    server.on(redeemOperatorInvite, () => {
      this.is_operator = true;
      return { is_operator: true };
    });
    server.on(getServerProfile, () => this.profile);
    server.on(updateServerProfile, ({ body }) => {
      const { name = this.profile.name, town_id, area_loads = this.profile.area_loads } = body;
      this.profile = { ...this.profile, name, area_loads, town: town_id ? BILBAO : this.profile.town };
      return this.profile;
    });
    server.on(searchTowns, ({ query }) => ({ items: query.q.startsWith('bil') ? [BILBAO] : [], next_cursor: null }));
    server.on(listAreaLoads, () => ({ items: this.loads, next_cursor: null }));
    server.on(requestAreaLoad, () => {
      this.loads = [LOAD];
      return LOAD;
    });
    const readStreets = () => ({
      items: this.street_loads,
      next_cursor: null,
      is_configured: this.has_street_setting,
    });
    server.on(listStreetLoads, readStreets);
    server.on(requestStreetLoad, () => {
      this.street_loads = [{ ...STREETS, status: 'waiting', fetched: 0, total: 0 }, ...this.street_loads];
      return this.street_loads[0] as StreetLoad;
    });
    server.on(cancelStreetLoad, () => {
      const [load = STREETS, ...rest] = this.street_loads;
      this.street_loads = [{ ...load, status: 'cancelled', finished_at: STREETS.requested_at }, ...rest];
      return this.street_loads[0] as StreetLoad;
    });
    server.on(cancelAreaLoad, () => {
      this.loads = [{ ...LOAD, status: 'cancelled', finished_at: LOAD.requested_at }];
      return this.loads[0] as AreaLoad;
    });
  }
}
