import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';

const HOUR_MS = 3_600_000;
const CLOSED_AT = new Date(Date.now() - 2 * HOUR_MS);

let api: TestApp;
let closed = '';

beforeAll(async () => {
  api = await buildTestApp({
    seed: async (database) => {
      closed = await makeCenter(database);
      await database.updateTable('sport_centers').set({ closed_at: CLOSED_AT }).where('id', '=', closed).execute();
    },
  });
});
afterAll(() => api.close());

async function start(hours_ago: number) {
  const ada = await api.signIn('Ada');
  const payload = {
    client_id: randomUUID(),
    op_id: randomUUID(),
    sport_center_id: closed,
    sport_type: 'climbing',
    started_at: new Date(Date.now() - hours_ago * HOUR_MS).toISOString(),
  };
  const reply = await api.app.inject({ method: 'POST', url: '/v1/activities', headers: ada.headers, payload });
  const list = await api.app.inject({ url: '/v1/activities', headers: ada.headers });
  return { status: reply.statusCode, code: reply.json().code, stored: list.json().data.items.length };
}

test('an activity that began after its center closed is refused and changes nothing', async () => {
  expect(await start(1)).toEqual({ status: 422, code: 'sport_center_closed', stored: 0 });
});

test('an activity that began before its center closed is taken', async () => {
  expect(await start(3)).toEqual({ status: 201, code: undefined, stored: 1 });
});
