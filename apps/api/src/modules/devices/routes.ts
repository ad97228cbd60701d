import { registerDevice } from '@sendlap/contract/devices.ts';
import type { Route } from '#api/platform/route.ts';
import type { DeviceService } from './service.ts';

export function mountDevices(route: Route, devices: DeviceService): void {
  route(registerDevice, ({ body }, caller) => devices.registerDevice(caller.user_id, body));
}
