import { listDevices, registerDevice, revokeDevice } from '@sendlap/contract/devices.ts';
import type { Route } from '#api/http/route.ts';
import type { DeviceService } from './service.ts';

export function mountDevices(route: Route, devices: DeviceService): void {
  route(registerDevice, ({ body }, caller) => devices.registerDevice(caller, body));
  route(listDevices, async (_input, { user_id }) => ({
    items: await devices.listDevices(user_id),
    next_cursor: null,
  }));
  route(revokeDevice, async ({ params }, { user_id }) => {
    const key_id = params.key_id.toLowerCase();
    await devices.revokeDevice(user_id, key_id);
    return { key_id };
  });
}
