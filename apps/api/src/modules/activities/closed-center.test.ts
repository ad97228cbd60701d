import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { pairKiosk, venueCodeAt } from '#test/scenes/kiosk.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const CLOSED_AT = new Date(Date.now() - 2 * HOUR_MS);

let api: TestApp;
let closed = '';
/** Open when their activities start. */
const changing = { closes: '', drops_sport: '' };

beforeAll(async () => {
  api = await buildTestApp({
    seed: async (database) => {
      closed = await makeCenter(database);
      changing.closes = await makeCenter(database);
      changing.drops_sport = await makeCenter(database);
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

const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);

/** Starts 30 minutes ago, with the kiosk's code 20 minutes ago; finishes with its code after a change of the centers. */
async function visit(center: string, changeCenters: (database: Database) => Promise<unknown>) {
  const ada = await api.signIn('Ada');
  const kiosk = await pairKiosk(api, center);
  const scanNow = () => ({ payload: venueCodeAt(kiosk, Date.now()), scanned_at: ago(0).toISOString() });
  const client_id = randomUUID();
  const send = async ({ app }: TestApp, url: string, body: object) => {
    const payload = { op_id: randomUUID(), venue_scan: scanNow(), ...body };
    const reply = await app.inject({ method: 'POST', url, headers: ada.headers, payload });
    return { status: reply.statusCode, ...reply.json() };
  };
  const start = { client_id, sport_center_id: center, sport_type: 'climbing', started_at: ago(30).toISOString() };
  expect((await send(api, '/v1/activities', start)).status).toBe(201);
  const scan = api.database.updateTable('activities').set({ venue_started_at: ago(20) });
  await scan.where('id', '=', client_id).execute();
  await changeCenters(api.database);
  // A server reads the centers at its start, and changes of them some seconds later.
  const next = await buildTestApp({ database_url: api.database_url });
  onTestFinished(() => next.close());
  return send(next, `/v1/activities/${client_id}/finish`, { ended_at: ago(0).toISOString() });
}

test.each([
  [
    'had closed before its kiosk was scanned',
    'sport_center_closed',
    (database: Database) =>
      database
        .updateTable('sport_centers')
        .set({ closed_at: ago(25) })
        .where('id', '=', changing.closes)
        .execute(),
    () => changing.closes,
  ],
  [
    'no longer offers the sport',
    'sport_not_offered',
    (database: Database) =>
      database.deleteFrom('sport_facilities').where('sport_center_id', '=', changing.drops_sport).execute(),
    () => changing.drops_sport,
  ],
])('a finish is taken without the proof of a kiosk whose center, as an import says since, %s', async (...given) => {
  const [, note, changeCenters, center] = given;
  const { status, data } = await visit(center(), changeCenters);
  expect([status, data]).toMatchObject([200, { status: 'finished', validation: 'none', proof_note: note }]);
});
