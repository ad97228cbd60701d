import { listDevices, registerDevice } from '@sendlap/contract/devices.ts';
import { type Bytes, fromBase64Url } from '@sendlap/domain/bytes.ts';
import { describeDevice } from '@sendlap/domain/device-name.ts';
import { MAC_BYTES } from '@sendlap/domain/qr-code.ts';
import type { IDBPDatabase } from 'idb';
import { call } from '../api/client.ts';
import { type DeviceSchema, withDeviceDatabase as withDatabase } from '../device/device-database.ts';

const KEY_BYTES = 32;
const INSTALLATION = 'installation_id';
/** Counts logouts, so that a key that arrives after a logout is not stored. */
let logout_count = 0;
const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;

export interface Signature {
  /** The first 16 bytes, which a code contains. */
  mac16: Bytes;
  /** The whole HMAC-SHA-256, from which the 8 digits are computed. */
  mac32: Bytes;
}

export interface SigningKey {
  key_id: string;
  /** Signs the body of a code, which names this key. */
  sign(body: Bytes): Promise<Signature>;
}

/**
 * Ensures that this user can sign codes on this device; returns the key's id. Asks the server only if there is no key
 * yet, so every start may call it; afterwards codes need no network. Throws ApiError (`device_limit_reached`: a
 * sixth device, and an activity still needs a proof) or the database's error.
 */
export async function ensureDeviceKey(user_id: string): Promise<string> {
  const existing = await loadDeviceKey(user_id);
  return existing?.key_id ?? (await registerKey(user_id));
}

/**
 * Same as `ensureDeviceKey`, with a network: replaces a key that the server has revoked (another device took its place
 * or removed it), because codes signed with it no longer count. Throws like `ensureDeviceKey`, and ApiError without a
 * network.
 */
export async function renewDeviceKey(user_id: string): Promise<string> {
  const existing = await loadDeviceKey(user_id);
  if (existing === null) return registerKey(user_id);
  const { items } = await call(listDevices, {});
  return items.some(({ key_id }) => key_id === existing.key_id) ? existing.key_id : registerKey(user_id);
}

async function registerKey(user_id: string): Promise<string> {
  const logouts_before = logout_count;
  const installation_id = await withDatabase(loadOrCreateInstallationId);
  const name = describeDevice(navigator.userAgent) || 'Browser';
  const { key_id, key } = await call(registerDevice, { body: { installation_id, name } });
  const bytes = fromBase64Url(key);
  if (bytes?.length !== KEY_BYTES) throw new RangeError('not a device key');
  const imported = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign']);
  bytes.fill(0);
  if (logout_count !== logouts_before) throw new Error('signed out in between');
  await withDatabase((database) => database.put('keys', { user_id, key_id, key: imported }));
  return key_id;
}

/** Returns this user's key, null if this device has none yet. Load it for each code: another tab may replace it. */
export async function loadDeviceKey(user_id: string): Promise<SigningKey | null> {
  const stored = await withDatabase((database) => database.get('keys', user_id));
  if (!stored) return null;
  return {
    key_id: stored.key_id,
    async sign(body) {
      const mac32 = new Uint8Array(await crypto.subtle.sign('HMAC', stored.key, body));
      return { mac16: mac32.slice(0, MAC_BYTES), mac32 };
    },
  };
}

/**
 * At logout all users' keys are deleted. The installation id stays: it says nothing about a user, and a new one at
 * every sign-in would use up the five devices that a user may have.
 */
export async function deleteDeviceKeys(): Promise<void> {
  logout_count += 1;
  await withDatabase((database) => database.clear('keys'));
}

/** One transaction, so that two tabs at the first start agree on one id. */
async function loadOrCreateInstallationId(database: IDBPDatabase<DeviceSchema>): Promise<string> {
  const transaction = database.transaction('facts', 'readwrite');
  const existing_id = await transaction.store.get(INSTALLATION);
  const id = existing_id ?? crypto.randomUUID();
  if (existing_id === undefined) await transaction.store.put(id, INSTALLATION);
  await transaction.done;
  return id;
}
