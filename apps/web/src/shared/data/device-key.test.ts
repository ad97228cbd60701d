import 'fake-indexeddb/auto';
import { createHmac } from 'node:crypto';
import { encodeUtf8, toBase64Url } from '@sendlap/domain/bytes.ts';
import { isUuidV4 } from '@sendlap/domain/ids.ts';
import { openDB } from 'idb';
import { beforeEach, expect, test, vi } from 'vitest';

const { call } = vi.hoisted(() => ({ call: vi.fn() }));
vi.mock('../api/client.ts', () => ({ call }));

const {
  ensureDeviceKey,
  deleteDeviceKeys: forgetDeviceKeys,
  loadDeviceKey,
  renewDeviceKey,
} = await import('./device-key.ts');

const ANA = '11111111-1111-4111-8111-111111111111';
const BEN = '22222222-2222-4222-8222-222222222222';
const secret = Uint8Array.from({ length: 32 }, (_, index) => index * 7);

/** From now on no database can be opened, as on a busy disk. */
async function breakDatabases() {
  (await openDB('newer', 2)).close();
  const open = indexedDB.open.bind(indexedDB);
  return vi.spyOn(indexedDB, 'open').mockImplementation(() => open('newer', 1));
}

beforeEach(async () => {
  await forgetDeviceKeys();
  call.mockReset();
  call.mockResolvedValue({ key_id: '33333333-3333-4333-8333-333333333333', key: toBase64Url(secret) });
});

test('a device has no key at first', async () => {
  expect(await loadDeviceKey(ANA)).toBeNull();
});

test('a key of the wrong length is refused and not kept', async () => {
  call.mockResolvedValue({ key_id: '33333333-3333-4333-8333-333333333333', key: 'AAAA' });
  await expect(ensureDeviceKey(ANA)).rejects.toThrow(RangeError);
  expect(await loadDeviceKey(ANA)).toBeNull();
});

test('the signature is the HMAC-SHA-256 under the key of the server, and its first half', async () => {
  await ensureDeviceKey(ANA);
  const body = encodeUtf8('body');
  const expected = new Uint8Array(createHmac('sha256', secret).update(body).digest());
  expect(await (await loadDeviceKey(ANA))?.sign(body)).toEqual({ mac16: expected.slice(0, 16), mac32: expected });
});

test('the server is asked once, and the key cannot be read out of the database', async () => {
  await ensureDeviceKey(ANA);
  await ensureDeviceKey(ANA);
  expect(call).toHaveBeenCalledTimes(1);
  const database = await openDB('sendlap-device');
  const { key } = await database.get('keys', ANA);
  database.close();
  expect(key.usages).toEqual(['sign']);
  await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow();
});

test('a key that arrives after the logout is not kept', async () => {
  call.mockImplementation(async () => {
    await forgetDeviceKeys();
    return { key_id: '33333333-3333-4333-8333-333333333333', key: toBase64Url(secret) };
  });
  await expect(ensureDeviceKey(ANA)).rejects.toThrow('signed out');
  expect(await loadDeviceKey(ANA)).toBeNull();
});

test('after logout no key is left, and the next sign-in names the same installation', async () => {
  await ensureDeviceKey(ANA);
  await forgetDeviceKeys();
  expect(await loadDeviceKey(ANA)).toBeNull();
  await ensureDeviceKey(BEN);
  expect(await loadDeviceKey(ANA)).toBeNull();
  const [first, second] = call.mock.calls.map(([, { body }]) => body.installation_id);
  expect(isUuidV4(first)).toBe(true);
  expect(second).toBe(first);
});

test('a key that the server has revoked is replaced by a new one, and only then', async () => {
  const [first, second] = ['33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444'];
  await renewDeviceKey(ANA);
  call.mockReset();
  call.mockResolvedValueOnce({ items: [{ key_id: first }] });
  expect(await renewDeviceKey(ANA)).toBe(first);
  expect(call).toHaveBeenCalledTimes(1);
  call.mockResolvedValueOnce({ items: [{ key_id: BEN }] });
  call.mockResolvedValueOnce({ key_id: second, key: toBase64Url(secret.toReversed()) });
  expect(await renewDeviceKey(ANA)).toBe(second);
  expect(await loadDeviceKey(ANA)).toMatchObject({ key_id: second });
});

test('without an answer of the server the key is kept', async () => {
  const key_id = await ensureDeviceKey(ANA);
  call.mockRejectedValueOnce(new Error('no network'));
  await expect(renewDeviceKey(ANA)).rejects.toThrow('no network');
  expect(await loadDeviceKey(ANA)).toMatchObject({ key_id });
});

test('a database that can’t be opened for a moment keeps its key', async () => {
  const key_id = await ensureDeviceKey(ANA);
  const failing = await breakDatabases();
  await expect(ensureDeviceKey(ANA)).rejects.toMatchObject({ name: 'VersionError' });
  failing.mockRestore();
  expect(await loadDeviceKey(ANA)).toMatchObject({ key_id });
  expect(call).toHaveBeenCalledTimes(1);
});
