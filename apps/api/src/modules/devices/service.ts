import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Device as ShownDevice } from '@sendlap/contract/devices.ts';
import { MAC_BYTES } from '@sendlap/domain/qr-code.ts';
import { VALIDATION_WINDOW_MS } from '@sendlap/domain/scan-checks.ts';
import type { Database, Trx } from '#api/database/database.ts';
import type { Secrets } from '#api/database/secrets.ts';
import { createBoundedCache } from '#api/platform/bounded-cache.ts';
import { AppError } from '#api/platform/errors.ts';
import { lockSession } from '#api/sessions/lock-session.ts';
import type { Session } from '#api/sessions/sessions.ts';
import {
  type Device,
  findDevice,
  hasOpenActivity,
  insertDevice,
  listActiveDeviceKeys,
  listActiveDevices,
  recordDeviceUse,
  revokeDeviceKey,
  updateDevice,
} from './store.ts';

const KEY_BYTES = 32;
const MAX_DEVICES = 5;
const MAX_CACHED_KEYS = 20_000;
/** Last use of a key is written at most this often. */
export const LAST_USE_WRITE_INTERVAL_MS = 86_400_000;

export type DeviceService = ReturnType<typeof createDeviceService>;

/**
 * Throws `device_revoked` unless the scan is older than the revocation, and `device_unknown` if there is no such
 * device. The 14-day limit is checked with every scan.
 */
export function assertDeviceActive(device: { revoked_at: Date | null } | undefined, scanned_at: Date): void {
  if (!device) throw unknownDevice();
  if (device.revoked_at !== null && device.revoked_at <= scanned_at) {
    throw new AppError('device_revoked', 'This code comes from a device that was signed out before the scan');
  }
}

interface Dependencies {
  database: Database;
  secrets: Secrets;
  now?: () => Date;
}

export function createDeviceService({ database, secrets, now = () => new Date() }: Dependencies) {
  // The encryption context is the row's owner and id, so that a key copied between rows does not decrypt.
  const encryptionContextOf = ({ id, user_id }: Pick<Device, 'id' | 'user_id'>) => `device ${id} of ${user_id}`;
  const decryptKey = (device: Device) => secrets.decrypt(device.key_encrypted, encryptionContextOf(device));
  const findOwner = createOwnerCache(decryptKey);
  return {
    /**
     * Returns the key of this installation, made at the first call and again after a revocation; it is bound to the
     * caller's session and revoked with it. A sixth installation replaces the one unused for longest, or throws
     * `device_limit_reached` if the user has open work. Throws `unauthenticated` if the session has just ended.
     */
    async registerDevice(
      caller: Session,
      installation: { installation_id: string; name: string },
    ): Promise<{ key_id: string; key: string }> {
      const id = randomUUID();
      const { user_id } = caller;
      const key_encrypted = secrets.encrypt(randomBytes(KEY_BYTES), encryptionContextOf({ id, user_id }));
      const device = await database
        .transaction()
        .execute((trx) => register(trx, caller, installation, { id, user_id, key_encrypted }, now()));
      return { key_id: device.id, key: decryptKey(device).toString('base64url') };
    },
    /** Last used first. */
    async listDevices(user_id: string): Promise<ShownDevice[]> {
      const devices = await listActiveDevices(database, user_id);
      return devices.map(({ id, name, created_at, last_used_at }) => ({
        key_id: id,
        name,
        created_at: created_at.toISOString(),
        last_used_at: last_used_at.toISOString(),
      }));
    },
    /** Revokes a key of this user; idempotent. Throws `device_not_found`. */
    async revokeDevice(user_id: string, key_id: string): Promise<void> {
      if (await revokeDeviceKey(database, { id: key_id, user_id }, now())) return;
      throw new AppError('device_not_found', 'You have no such device');
    },
    /**
     * Returns the owner of the key that made this MAC, revoked or not (`assertDeviceActive` checks that). Throws
     * `device_unknown` or `code_forged`. A key is read from the database once, then cached.
     */
    async verifyCodeOwner(
      executor: Database | Trx,
      key_id: string,
      body: Uint8Array,
      mac: Uint8Array,
    ): Promise<string> {
      const owner = await findOwner(executor, key_id);
      if (!owner) throw unknownDevice();
      const expected = createHmac('sha256', owner.key).update(body).digest().subarray(0, MAC_BYTES);
      if (!timingSafeEqual(expected, mac))
        throw new AppError('code_forged', 'This code was not made by the device that it names');
      return owner.user_id;
    },
    /** Worth calling if the last use is older than `LAST_USE_WRITE_INTERVAL_MS`. */
    recordUse: (trx: Trx, key_id: string) => recordDeviceUse(trx, key_id, now()),
    /** Full HMAC-SHA-256 of a body under each active key of these users; the body depends on the key id. */
    async listSigners(
      user_ids: string[],
    ): Promise<{ user_id: string; key_id: string; sign(body: Uint8Array): Buffer }[]> {
      const devices = await listActiveDeviceKeys(database, user_ids);
      return devices.map((device) => {
        const key = decryptKey(device);
        return {
          user_id: device.user_id,
          key_id: device.id,
          sign: (body) => createHmac('sha256', key).update(body).digest(),
        };
      });
    },
  };
}

/** Returns the installation's row, or inserts `fresh`. */
async function register(
  trx: Trx,
  caller: Session,
  { installation_id, name }: { installation_id: string; name: string },
  fresh: Device,
  now: Date,
): Promise<Device> {
  const { user_id, session_id } = caller;
  if (!(await lockSession(trx, caller))) throw new AppError('unauthenticated', 'This session has ended');
  const used = { name, session_id, last_used_at: now };
  const devices = await listActiveDevices(trx, user_id);
  const known = devices.find((device) => device.installation_id === installation_id);
  if (known) {
    await updateDevice(trx, known.id, used);
    return known;
  }
  for (const { id } of devices.slice(MAX_DEVICES - 1)) {
    // Which device holds the code that still has to be shown is unknown.
    if (await hasOpenActivity(trx, user_id, new Date(now.getTime() - VALIDATION_WINDOW_MS))) {
      throw new AppError('device_limit_reached', `At most ${MAX_DEVICES} devices; remove one first`);
    }
    await revokeDeviceKey(trx, { id, user_id }, now);
  }
  await insertDevice(trx, { ...fresh, ...used, installation_id });
  return fresh;
}

/** Finds the owner and the decrypted key of a key id; caches the 20,000 most recently used. */
function createOwnerCache(decryptKey: (device: Device) => Buffer) {
  const owners = createBoundedCache<{ user_id: string; key: Uint8Array }>({ max: MAX_CACHED_KEYS });
  return async (executor: Database | Trx, key_id: string) => {
    const known = owners.get(key_id);
    if (known) return known;
    const device = await findDevice(executor, key_id);
    if (!device) return undefined;
    // A copy: a small Buffer is a part of a pool of 64 KB, which a cached one would hold.
    const owner = { user_id: device.user_id, key: Uint8Array.from(decryptKey(device)) };
    owners.set(key_id, owner);
    return owner;
  };
}

function unknownDevice(): AppError {
  return new AppError('device_unknown', 'This code comes from a device that is not known');
}
