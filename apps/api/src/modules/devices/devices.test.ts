import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app.ts';

let api: TestApp;
beforeAll(async () => {
  api = await buildTestApp();
});
afterAll(() => api.close());

async function register(who: SignedIn, installation_id: string, name = 'Phone') {
  const payload = { installation_id, name };
  const reply = await api.app.inject({ method: 'POST', url: '/v1/devices', headers: who.headers, payload });
  return { status: reply.statusCode, ...reply.json() };
}

test('a sixth installation is refused, also when all come at once', async () => {
  const ada = await api.signIn('Ada');
  const replies = await Promise.all(Array.from({ length: 12 }, () => register(ada, randomUUID())));
  expect(replies.filter((reply) => reply.status === 201)).toHaveLength(5);
  expect(replies.filter((reply) => reply.code === 'device_limit_reached')).toHaveLength(7);
});

test('an installation gets the same key again, and nobody else gets it', async () => {
  const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
  const installation_id = randomUUID();
  const first = await register(ada, installation_id);
  expect((await register(ada, installation_id, 'Renamed')).data).toEqual(first.data);
  expect((await register(bea, installation_id)).data.key).not.toBe(first.data.key);
  expect(Buffer.from(first.data.key, 'base64url')).toHaveLength(32);
});

test('the key stands nowhere in the database as it is', async () => {
  const ada = await api.signIn('Ada');
  const { data } = await register(ada, randomUUID());
  const rows = await api.database.selectFrom('devices').select('key_encrypted').where('id', '=', data.key_id).execute();
  expect(rows[0]?.key_encrypted.includes(Buffer.from(data.key, 'base64url'))).toBe(false);
});
