import { createHmac, randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MAC_BYTES } from '@sendlap/domain/qr-code.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { createDeviceService } from './service.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const POOL_BYTES = 65_536;

let api: TestApp;
beforeAll(async () => {
  api = await buildTestApp();
});
afterAll(() => api.close());

test('a cached key does not hold the pool of memory in which it was decrypted', async () => {
  const pools: WeakRef<ArrayBuffer>[] = [];
  const decrypt = (sealed: Buffer, context: string) => {
    const plain = api.secrets.decrypt(sealed, context);
    const pool = new ArrayBuffer(POOL_BYTES);
    pools.push(new WeakRef(pool));
    const pooled = Buffer.from(pool, 0, plain.length);
    plain.copy(pooled);
    return pooled;
  };
  const devices = createDeviceService({ database: api.database, secrets: { ...api.secrets, decrypt } });
  const { user, session_id } = await api.signIn('Ada');
  const installation = { installation_id: randomUUID(), name: 'Phone' };
  const caller = { user_id: user.id, session_id, locked: false };
  const { key_id, key } = await devices.registerDevice(caller, installation);
  const body = Buffer.from('code');
  const mac = createHmac('sha256', Buffer.from(key, 'base64url')).update(body).digest().subarray(0, MAC_BYTES);
  expect(await devices.verifyCodeOwner(api.database, key_id, body, mac)).toBe(user.id);
  expect(pools).toHaveLength(2);
  await vi.waitFor(() => {
    collectGarbage();
    expect(pools.filter((pool) => pool.deref() !== undefined)).toEqual([]);
  });
  expect(await devices.verifyCodeOwner(api.database, key_id, body, mac)).toBe(user.id);
  expect(pools).toHaveLength(2);
});
