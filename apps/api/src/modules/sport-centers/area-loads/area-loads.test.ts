import { randomUUID } from 'node:crypto';
import { updateServerProfile } from '@sendlap/contract/server-profile.ts';
import { describe, expect, test, vi } from 'vitest';
import {
  actsOf,
  BILBAO,
  cancel,
  countCenters,
  ended,
  first,
  GIRONA,
  holdReplies,
  list,
  operator,
  overpass,
  passTime,
  request,
  send,
  startNode,
  useLoadScene,
  versionOfCenters,
  waits,
} from '#test/scenes/load-scene.ts';
import { hall, OverpassServer } from '#test/servers/overpass-server.ts';

useLoadScene({ load_check_interval_ms: 100 });

describe('refused, and nothing is queried:', () => {
  test('an athlete, where only operators load areas', async () => {
    const athlete = await first().signIn('Ada');
    const { headers } = operator;
    const payload = { area_loads: 'operators' };
    await first().app.inject({ method: 'PATCH', url: updateServerProfile.path, headers, payload });
    expect((await send({ town_id: BILBAO.id }, athlete)).json().code).toBe('area_loads_restricted');
    expect([overpass.queries, await list()]).toEqual([[], []]);
  });

  test('the 61st load of an hour, to athletes', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => ({
      ...{ id: randomUUID(), name: 'X', status: 'done' as const, requested_by: operator.user.id },
      ...{ west: at, south: 0, east: at + 0.1, north: 0.1 },
    }));
    await first().database.insertInto('area_loads').values(rows).execute();
    const reply = await send({ town_id: BILBAO.id }, await first().signIn('Ada'));
    expect([reply.json().code, reply.headers['retry-after']]).toEqual(['too_many_requests', '600']);
    expect((await send({ town_id: GIRONA.id })).statusCode).toBe(202);
    passTime(3_600_000);
    expect((await send({ town_id: BILBAO.id }, await first().signIn('Bo'))).statusCode).toBe(202);
  });

  test('a third load of one athlete while two have not ended; an operator has no such limit, and goes first', async () => {
    const athlete = await first().signIn('Ada');
    const held = holdReplies();
    const area = (latitude: number) => ({ latitude, longitude: 5, radius_km: 5 });
    expect((await send(area(1), athlete)).statusCode).toBe(202);
    // It has begun, so that none goes before it.
    await expect.poll(() => held.length).toBe(1);
    expect((await send(area(2), athlete)).statusCode).toBe(202);
    expect((await send(area(3), athlete)).json().code).toBe('too_many_requests');
    for (const latitude of [10, 11, 12]) expect((await send(area(latitude))).statusCode).toBe(202);
    overpass.reply = OverpassServer.whole;
    for (const response of held) OverpassServer.whole(response, [], 1);
    await expect
      .poll(async () => (await list()).every(({ finished_at }) => finished_at !== null), { timeout: 20_000 })
      .toBe(true);
    expect(overpass.queries.map((box) => Math.round(Number(box.split(',')[0])))).toEqual([1, 10, 11, 12, 2]);
  });
});

test('a load saves the accepted centers and counts them, and a second one changes no row', async () => {
  const { id } = await request(BILBAO);
  const load = await ended(id);
  expect(load).toMatchObject({ name: 'Bilbao', status: 'done', fetched: 1, total: 1, retry_at: null, failure: null });
  expect(load.report).toEqual({
    read: 3,
    imported: 2,
    updated: 0,
    unchanged: 0,
    merged: 0,
    refused: 1,
    closed: 0,
    missing: 0,
  });
  expect(await countCenters()).toBe(2);
  const version = await versionOfCenters();
  const again = await ended((await request(BILBAO)).id);
  expect(again.report).toMatchObject({ imported: 0, updated: 0, unchanged: 2, closed: 0 });
  expect(await versionOfCenters()).toBe(version);
  expect(await actsOf()).toEqual(['area_load_requested', 'area_load_done', 'area_load_requested', 'area_load_done']);
});

test('of 20 requests at once for two towns at two nodes each town is queried once, one after the other', async () => {
  const second = await startNode();
  const athlete = await first().signIn('Ada');
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      send({ town_id: (at % 2 ? BILBAO : GIRONA).id }, athlete, at % 4 < 2 ? first() : second),
    ),
  );
  const ids = [...new Set(replies.map((reply) => reply.json().data.id))];
  expect((await Promise.all(ids.map(ended))).map(({ status }) => status)).toEqual(ids.map(() => 'done'));
  expect(new Set(overpass.queries).size).toBe(2);
  expect([overpass.queries.length, overpass.most_at_once]).toEqual([2, 1]);
  expect(await countCenters()).toBe(3);
});

test('a busy server is asked again when it says, and the load says until when it waits', async () => {
  const seen = Promise.withResolvers<string>();
  overpass.reply = (response, elements, query) => {
    if (query === 1) return void response.writeHead(429, { 'retry-after': '42' }).end();
    const until = vi.waitUntil(async () => (await list())[0]?.retry_at, { timeout: 10_000 });
    until.then((time) => seen.resolve(time), seen.reject);
    void until.finally(() => OverpassServer.whole(response, elements, query));
  };
  const { id } = await request(BILBAO);
  expect(await ended(id)).toMatchObject({ status: 'done', retry_at: null });
  expect(Date.parse(await seen.promise)).toBeGreaterThan(Date.now());
  expect(waits).toEqual([42_000]);
});

test('centers that are missing in a later load are closed; too many of them stay open, and are counted', async () => {
  const halls = Array.from({ length: 10 }, (_, at) => hall(100 + at, BILBAO.latitude, BILBAO.longitude + at / 200));
  overpass.elements = halls;
  expect((await ended((await request(BILBAO)).id)).report).toMatchObject({ imported: 10 });
  overpass.elements = halls.slice(1);
  expect((await ended((await request(BILBAO)).id)).report).toMatchObject({ closed: 1, missing: 0 });
  // An empty reply is well-formed too.
  overpass.elements = [];
  expect(await ended((await request(BILBAO)).id)).toMatchObject({ status: 'done', report: { closed: 0, missing: 9 } });
  overpass.elements = halls;
  expect((await ended((await request(BILBAO)).id)).report).toMatchObject({ unchanged: 10, closed: 0, missing: 0 });
});

type Staff = 'managers' | 'referees' | 'kiosks';

/** Adds a manager, a referee or a kiosk to the center of this map object. */
async function addStaff(table: Staff, source_ref: string): Promise<void> {
  const { database } = first();
  const center = database.selectFrom('sport_centers').select('id').where('source_ref', '=', source_ref);
  const { id: sport_center_id } = await center.executeTakeFirstOrThrow();
  const ids = { id: randomUUID(), sport_center_id };
  const { id: user_id } = operator.user;
  const right = { sport_types: ['climbing' as const], granted_by: 'test', valid_from: new Date(0), valid_until: null };
  const rows = {
    managers: () => database.insertInto('managers').values({ sport_center_id, user_id }),
    referees: () => database.insertInto('referees').values({ ...ids, ...right, user_id }),
    kiosks: () => database.insertInto('kiosks').values({ ...ids, token_hash: Buffer.from(ids.id) }),
  };
  await rows[table]().execute();
}

/** An athlete loads the area of an earlier load, and a little more. */
async function loadAsAthlete() {
  const larger = { latitude: BILBAO.latitude, longitude: BILBAO.longitude, radius_km: 25 };
  const { id } = (await send(larger, await first().signIn('Ada'))).json().data;
  return (await ended(id)).report;
}

test.each<Staff>(['managers', 'referees', 'kiosks'])(
  "a center with %s stays open in an athlete's load that lacks it, and is closed by an operator's",
  async (table) => {
    const halls = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => hall(at, BILBAO.latitude, BILBAO.longitude + at / 100));
    overpass.elements = halls;
    await ended((await request(BILBAO)).id);
    await addStaff(table, 'node/1');
    const { database } = first();
    const closed = database.selectFrom('sport_centers').select('source_ref').where('closed_at', 'is not', null);
    const listClosed = async () => (await closed.execute()).map(({ source_ref }) => source_ref).sort();
    overpass.elements = halls.slice(2);
    expect(await loadAsAthlete()).toMatchObject({ closed: 1, missing: 1 });
    expect(await listClosed()).toEqual(['node/2']);
    expect((await ended((await request(BILBAO)).id)).report).toMatchObject({ closed: 1, missing: 0 });
    expect(await listClosed()).toEqual(['node/1', 'node/2']);
  },
);

test("centers with staff count as missing: where most are, an athlete's load closes none", async () => {
  const halls = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => hall(at, BILBAO.latitude, BILBAO.longitude + at / 100));
  overpass.elements = halls;
  await ended((await request(BILBAO)).id);
  for (const at of [1, 2, 3, 4]) await addStaff('managers', `node/${at}`);
  overpass.elements = halls.slice(7);
  expect(await loadAsAthlete()).toMatchObject({ closed: 0, missing: 7 });
});

test('a load that has begun three times without an end fails at the fourth start', async () => {
  const row = {
    id: randomUUID(),
    name: 'Bilbao',
    status: 'saving' as const,
    requested_by: operator.user.id,
    attempts: 3,
  };
  await first()
    .database.insertInto('area_loads')
    .values({ ...row, west: 1, south: 1, east: 1.1, north: 1.1 })
    .execute();
  await request(GIRONA);
  expect(await ended(row.id)).toMatchObject({ status: 'failed', failure: 'Given up after 3 attempts.' });
});

describe('cancelled', () => {
  test('while it is fetched, at another node too, a load saves nothing and the next one begins', async () => {
    const second = await startNode();
    holdReplies();
    const { id } = await request(BILBAO);
    const next = await request(GIRONA);
    await expect.poll(() => overpass.queries.length).toBe(1);
    overpass.reply = OverpassServer.whole;
    expect((await cancel(id, second)).data).toMatchObject({ status: 'cancelled' });
    expect(await ended(next.id)).toMatchObject({ status: 'done' });
    expect((await list()).find((load) => load.id === id)).toMatchObject({ status: 'cancelled', report: null });
    expect(await countCenters()).toBe(1);
  });

  test('before its turn, a load is not queried', async () => {
    const [held, current] = [holdReplies(), await request(GIRONA)];
    const { id } = await request(BILBAO);
    expect((await cancel(id)).data.status).toBe('cancelled');
    await expect.poll(() => held.length).toBe(1);
    overpass.reply = OverpassServer.whole;
    for (const response of held) OverpassServer.whole(response, [], 1);
    await ended(current.id);
    expect(overpass.queries.length).toBe(1);
  });

  test('too late, a load is returned as it is', async () => {
    const { id } = await request(BILBAO);
    await ended(id);
    expect((await cancel(id)).data).toMatchObject({ status: 'done', report: { imported: 2 } });
    expect(await actsOf()).not.toContain('area_load_cancelled');
  });
});
