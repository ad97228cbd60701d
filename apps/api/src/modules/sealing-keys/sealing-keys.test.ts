import { createECDH, randomBytes } from 'node:crypto';
import { getSealingKey, openSeal } from '@sendlap/contract/sealing-keys.ts';
import { deleteMe } from '@sendlap/contract/users.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecrets } from '#api/database/secrets.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { columnsHolding, readAllTables } from '#test/database/all-tables.ts';
import { eraseNow } from '#test/scenes/erase-now.ts';
import { createSealingKeyService } from './service.ts';

let api: TestApp;
beforeAll(async () => {
  api = await buildTestApp();
});
afterAll(() => api.close());

type Caller = Pick<SignedIn, 'headers'> | null;

async function send(who: Caller, { method, path }: typeof getSealingKey | typeof openSeal, payload?: object) {
  const reply = await api.app.inject({
    method,
    url: path,
    headers: who?.headers ?? {},
    ...(payload ? { payload } : {}),
  });
  return { status: reply.statusCode, headers: reply.headers, ...reply.json() };
}

const readKey = async (who: Caller): Promise<string> => (await send(who, getSealingKey)).data.public_key;
const open = (who: Caller, ephemeral_key: string) => send(who, openSeal, { ephemeral_key });

/** A device's key pair for one sealing, and the secret that it shares with the owner of `public_key`. */
function sealFor(public_key: string) {
  const pair = createECDH('prime256v1');
  const ephemeral_key = pair.generateKeys('base64url');
  return { ephemeral_key, secret: pair.computeSecret(public_key, 'base64url', 'base64url') };
}

describe('a seal is not opened', () => {
  test('for a caller who is not signed in, whose account is locked, or who is another user', async () => {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    const { ephemeral_key, secret } = sealFor(await readKey(ada));
    expect(await open(null, ephemeral_key)).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(await send(null, getSealingKey)).toMatchObject({ status: 401, code: 'unauthenticated' });
    const other = await open(bea, ephemeral_key);
    expect(other.status).toBe(200);
    expect(other.data.secret).not.toBe(secret);
    await api.app.inject({ method: deleteMe.method, url: deleteMe.path, headers: ada.headers });
    expect((await open(ada, ephemeral_key)).status).toBe(401);
  });

  test.each([
    ['one that is too short', 'AAAA'],
    ['no point of the curve', Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url')],
    ['the point at infinity, padded', Buffer.alloc(65).toString('base64url')],
  ])('with a key that is %s', async (_name, ephemeral_key) => {
    const ada = await api.signIn('Ada');
    expect(await open(ada, ephemeral_key)).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  test('more than 60 times an hour', async () => {
    const ada = await api.signIn('Ada');
    const { ephemeral_key } = sealFor(await readKey(ada));
    const replies = await Promise.all(Array.from({ length: 61 }, () => open(ada, ephemeral_key)));
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(1);
  });
});

test('the owner gets the secret that the device had, and no cache keeps it', async () => {
  const ada = await api.signIn('Ada');
  const { ephemeral_key, secret } = sealFor(await readKey(ada));
  const reply = await open(ada, ephemeral_key);
  expect(reply.data).toEqual({ secret });
  expect(reply.headers['cache-control']).toBe('no-store');
});

test('a key is one for each user, and depends on the user and the secret alone', async () => {
  const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
  const key = await readKey(ada);
  expect(await readKey(ada)).toBe(key);
  expect(await readKey(bea)).not.toBe(key);
  expect(createSealingKeyService(api.secrets).getPublicKey(ada.user.id)).toBe(key);
  const other_secrets = createSecrets('another secret of the same length, for tests');
  expect(createSealingKeyService(other_secrets).getPublicKey(ada.user.id)).not.toBe(key);
});

test('the highest and the lowest bytes make a key too', () => {
  for (const byte of [0xff, 0x01]) {
    const secrets = { ...api.secrets, derive: () => Buffer.alloc(32, byte) };
    expect(createSealingKeyService(secrets).getPublicKey('any')).toHaveLength(87);
  }
});

test('no table holds a key or a secret, so the export has none; with the account the key is out of reach', async () => {
  const ada = await api.signIn('Ada');
  const public_key = await readKey(ada);
  const { ephemeral_key, secret } = sealFor(public_key);
  await open(ada, ephemeral_key);
  expect(columnsHolding(await readAllTables(api.database), [public_key, ephemeral_key, secret])).toEqual([]);
  await eraseNow(api.database, ada.user.public_id);
  await expect.poll(async () => (await open(ada, ephemeral_key)).status).toBe(401);
  const again = await api.signIn('Ada');
  expect(await readKey(again)).not.toBe(public_key);
  expect((await open(again, ephemeral_key)).data.secret).not.toBe(secret);
});
