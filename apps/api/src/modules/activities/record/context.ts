import type { Database } from '#api/database/database.ts';
import type { EventWriter } from '#api/events/events.ts';
import type { DeviceService } from '#api/modules/devices/service.ts';
import type { KioskService } from '#api/modules/kiosks/service.ts';
import type { RefereeService } from '#api/modules/referees/service.ts';
import type { SportCenterService } from '#api/modules/sport-centers/service.ts';

/** Dependencies of the activity ops on other modules. */
export interface OpContext {
  database: Database;
  events: EventWriter;
  sport_centers: SportCenterService;
  devices: DeviceService;
  referees: RefereeService;
  kiosks: Pick<KioskService, 'verifyCode'>;
  now: () => Date;
}
