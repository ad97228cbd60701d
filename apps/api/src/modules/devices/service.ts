import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { MAC_BYTES } from '@sendlap/domain/qr-code.ts';
import type { Database, Trx } from '#api/platform/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { Secrets } from '#api/platform/secrets.ts';
import { countOtherDevices, type Device, findDevice, insertDevice, listDevicesOf } from './store.ts';

const KEY_BYTES = 32;
const MAX_DEVICES = 5;

export interface DeviceService {
  /** The key of this installation, made at the first call; refuses a sixth installation with `device_limit_reached`. */
  registerDevice(
    user_id: string,
    installation: { installation_id: string; name: string },
  ): Promise<{ key_id: string; key: string }>;
  /** The owner of the key that made this MAC. Throws `device_unknown` or `code_forged`. */
  ownerOf(executor: Database | Trx, key_id: string, body: Uint8Array, mac: Uint8Array): Promise<string>;
  /** Full HMAC-SHA-256 of a body under each live key of these users; the body is made per key id. */
  macsOf(user_ids: string[]): Promise<{ user_id: string; key_id: string; sign(body: Uint8Array): Buffer }[]>;
}

export function createDeviceService(database: Database, secrets: Secrets): DeviceService {
  // The row's owner and id are part of the seal, so that a key copied between rows does not open.
  const keyOf = (device: Device) => secrets.decrypt(device.key_encrypted, `device ${device.id} of ${device.user_id}`);
  return {
    async registerDevice(user_id, { installation_id, name }) {
      const id = randomUUID();
      const key_encrypted = secrets.encrypt(randomBytes(KEY_BYTES), `device ${id} of ${user_id}`);
      const device = await database.transaction().execute(async (trx) => {
        if ((await countOtherDevices(trx, user_id, installation_id)) >= MAX_DEVICES) {
          throw new AppError('device_limit_reached', `At most ${MAX_DEVICES} devices; remove one first`);
        }
        return insertDevice(trx, { id, user_id, installation_id, name, key_encrypted });
      });
      return { key_id: device.id, key: keyOf(device).toString('base64url') };
    },
    async ownerOf(executor, key_id, body, mac) {
      const device = await findDevice(executor, key_id);
      if (!device || device.revoked_at)
        throw new AppError('device_unknown', 'This code comes from a device that is not known');
      const expected = createHmac('sha256', keyOf(device)).update(body).digest().subarray(0, MAC_BYTES);
      if (!timingSafeEqual(expected, mac))
        throw new AppError('code_forged', 'This code was not made by the device that it names');
      return device.user_id;
    },
    async macsOf(user_ids) {
      const devices = await listDevicesOf(database, user_ids);
      return devices.map((device) => {
        const key = keyOf(device);
        return {
          user_id: device.user_id,
          key_id: device.id,
          sign: (body) => createHmac('sha256', key).update(body).digest(),
        };
      });
    },
  };
}
