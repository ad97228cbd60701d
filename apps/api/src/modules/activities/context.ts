import type { DeviceService } from '#api/modules/devices/service.ts';
import type { KioskService } from '#api/modules/kiosks/service.ts';
import type { RefereeService } from '#api/modules/referees/service.ts';
import type { SportCenterService } from '#api/modules/sport-centers/service.ts';
import type { Database } from '#api/platform/database.ts';
import type { EventWriter } from '#api/platform/events.ts';

/** Dependencies of the activity ops on other modules. */
export interface OpContext {
  database: Database;
  events: EventWriter;
  sport_centers: SportCenterService;
  devices: DeviceService;
  referees: RefereeService;
  kiosks: Pick<KioskService, 'provenCenter'>;
  now: () => Date;
}
