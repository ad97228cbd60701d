import { listPresentUsers, saveUserLocation, updateUserLocation } from '@sendlap/contract/locations.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';

const HERE = { latitude: 43.26, longitude: -2.93 };

let api: TestApp;
let gym = '';
beforeAll(async () => {
  api = await buildTestApp({
    seed: async (database) => {
      gym = await makeCenter(database);
    },
  });
});
afterAll(() => api.close());

type Call = typeof saveUserLocation | typeof updateUserLocation | typeof listPresentUsers;

async function send({ headers }: SignedIn, { method, path }: Call, node = api) {
  const payload = path === listPresentUsers.path ? { sport_center_ids: [gym] } : HERE;
  const reply = await node.app.inject({ method, url: path, headers, payload });
  return { status: reply.statusCode, code: reply.json().code, retry_after: Number(reply.headers['retry-after']) };
}

async function expectRefusal(who: SignedIn, call: Call): Promise<void> {
  const { retry_after, ...refused } = await send(who, call);
  expect(refused).toEqual({ status: 429, code: 'too_many_requests' });
  expect(retry_after).toBeGreaterThan(0);
  expect(retry_after).toBeLessThanOrEqual(60);
}

test('of POST and PATCH together an eleventh within a minute must wait, whichever it is; other users need not', async () => {
  const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
  for (let count = 1; count <= 10; count += 1) {
    expect((await send(ada, count % 2 === 1 ? saveUserLocation : updateUserLocation)).status).toBe(200);
  }
  await expectRefusal(ada, saveUserLocation);
  await expectRefusal(ada, updateUserLocation);
  expect((await send(bea, saveUserLocation)).status).toBe(200);
  expect((await send(ada, listPresentUsers)).status).toBe(200);
});

test('the writes of a minute are counted by all nodes together', async () => {
  const ada = await api.signIn('Ada');
  const other = await buildTestApp({ database_url: api.database_url });
  for (let count = 1; count <= 10; count += 1) {
    expect((await send(ada, saveUserLocation, count % 2 === 0 ? api : other)).status).toBe(200);
  }
  expect((await send(ada, saveUserLocation, other)).status).toBe(429);
  await other.close();
});

test('eleven concurrent writes do not bypass the limit', async () => {
  const ada = await api.signIn('Ada');
  const replies = await Promise.all(Array.from({ length: 11 }, () => send(ada, saveUserLocation)));
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
});

test('an athlete can list the users at centers 60 times a minute', async () => {
  const ada = await api.signIn('Ada');
  const replies = await Promise.all(Array.from({ length: 60 }, () => send(ada, listPresentUsers)));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  await expectRefusal(ada, listPresentUsers);
});
