import { randomUUID } from 'node:crypto';
import { getAreaLoad } from '@sendlap/contract/area-loads.ts';
import { describe, expect, test } from 'vitest';
import type { SignedIn } from '#test/app/app.ts';
import {
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
  send,
  startNode,
  useLoadScene,
} from '#test/scenes/load-scene.ts';
import { cancelLoad } from './store.ts';

useLoadScene();

describe('an athlete', () => {
  test('loads an area, which is queried once in 30 days however often it, or a part of it, is requested', async () => {
    const athlete = await first().signIn('Ada');
    const area = { ...BILBAO, id: undefined, radius_km: 10 };
    const load = (await send(area, athlete)).json().data;
    expect(load).toMatchObject({ name: 'Bilbao', failure: null });
    expect(await ended(load.id)).toMatchObject({ status: 'done', report: { imported: 2 } });
    const part = { ...area, radius_km: 3 };
    for (const again of [area, part]) expect((await send(again, athlete)).json().data.id).toBe(load.id);
    expect(overpass.queries.length).toBe(1);
    // An operator may want the newest data.
    expect((await send(area)).json().data.id).not.toBe(load.id);
    await expect.poll(async () => (await list()).every(({ finished_at }) => finished_at !== null)).toBe(true);
    passTime(31 * 86_400_000);
    // At the next start, the old load is gone: it says where the athlete was.
    await startNode();
    const countOld = async () =>
      (await first().database.selectFrom('area_loads').select('id').where('id', '=', load.id).execute()).length;
    await expect.poll(countOld).toBe(0);
    const later = await send(part, await first().signIn('Bo'));
    expect(later.json().data.id).not.toBe(load.id);
  });

  test('reads how far a load is, but not why it failed, which names addresses of the server', async () => {
    const athlete = await first().signIn('Ada');
    overpass.reply = (response) => void response.writeHead(400).end();
    const { id } = (await send({ town_id: BILBAO.id }, athlete)).json().data;
    expect((await ended(id)).failure).toContain('answered 400');
    const url = getAreaLoad.path.replace(':id', id);
    const read = async ({ headers }: SignedIn) => (await first().app.inject({ url, headers })).json().data;
    expect(await read(athlete)).toMatchObject({ status: 'failed', failure: null });
    expect(await read(operator)).toMatchObject({ status: 'failed', failure: expect.any(String) });
  });

  test('stops an own load, and no other', async () => {
    const [ada, bo] = [await first().signIn('Ada'), await first().signIn('Bo')];
    holdReplies();
    const { id } = (await send({ town_id: BILBAO.id }, ada)).json().data;
    expect((await cancel(id, first(), bo)).code).toBe('not_an_operator');
    expect((await cancel(id, first(), ada)).data.status).toBe('cancelled');
    expect(await countCenters()).toBe(0);
  });
});

test('an athlete loads ten areas a day and reads when the next one is possible; others still load theirs', async () => {
  const athlete = await first().signIn('Ada');
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const rows = Array.from({ length: 10 }, (_, at) => ({
    ...{ id: randomUUID(), name: 'X', status: 'done' as const, requested_by: athlete.user.id },
    ...{ west: at, south: 0, east: at + 0.1, north: 0.1, requested_at: hoursAgo(22 - at) },
  }));
  await first().database.insertInto('area_loads').values(rows).execute();
  const refused = await send({ town_id: BILBAO.id }, athlete);
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests']);
  expect(Math.round(Number(refused.headers['retry-after']) / 60)).toBe(120);
  expect((await send({ town_id: BILBAO.id }, await first().signIn('Bo'))).statusCode).toBe(202);
  // A load that others have requested costs nothing.
  expect((await send({ town_id: BILBAO.id }, athlete)).statusCode).toBe(202);
  expect((await send({ town_id: GIRONA.id }, athlete)).statusCode).toBe(429);
  await first()
    .database.updateTable('area_loads')
    .set({ requested_at: hoursAgo(25) })
    .where('west', '=', 0)
    .execute();
  expect((await send({ town_id: GIRONA.id }, athlete)).statusCode).toBe(202);
});

test('a failed load takes none of the ten of a day, but one of twenty, and counts in the hour of the server', async () => {
  const [ada, bo] = [await first().signIn('Ada'), await first().signIn('Bo')];
  const insertFailed = async (count: number, requested_at: Date) => {
    const rows = Array.from({ length: count }, (_, at) => ({
      ...{ id: randomUUID(), name: 'X', status: 'failed' as const, requested_by: ada.user.id },
      ...{ west: at, south: 0, east: at + 0.1, north: 0.1, requested_at },
    }));
    await first().database.insertInto('area_loads').values(rows).execute();
  };
  await insertFailed(19, new Date(Date.now() - 2 * 3_600_000));
  const { id } = (await send({ town_id: BILBAO.id }, ada)).json().data;
  expect(await ended(id)).toMatchObject({ status: 'done' });
  const refused = await send({ town_id: GIRONA.id }, ada);
  expect([refused.statusCode, Math.round(Number(refused.headers['retry-after']) / 3_600)]).toEqual([429, 22]);

  await insertFailed(58, new Date(Date.now() - 60_000));
  expect((await send({ town_id: GIRONA.id }, bo)).statusCode).toBe(202);
  const of_all = await send({ latitude: 10, longitude: 10, radius_km: 1 }, bo);
  expect([of_all.statusCode, of_all.headers['retry-after']]).toEqual([429, '600']);
});

test('of 100 requests at once for 10 areas each area is queried once', async () => {
  const athletes = await Promise.all(Array.from({ length: 50 }, (_, at) => first().signIn(`Athlete ${at}`)));
  const areas = Array.from({ length: 10 }, (_, at) => ({ latitude: 10 + at, longitude: 10, radius_km: 5 }));
  const replies = await Promise.all(
    athletes.flatMap((who, at) => [at, at + 5].map((area) => send(areas[area % 10] ?? {}, who))),
  );
  const ids = [...new Set(replies.map((reply) => reply.json().data.id))];
  expect(ids.length).toBe(10);
  for (const id of ids) expect(await ended(id)).toMatchObject({ status: 'done' });
  expect([overpass.queries.length, new Set(overpass.queries).size, overpass.most_at_once]).toEqual([10, 10, 1]);
});

test('a load that others have joined since its owner looked is not stopped', async () => {
  const { database } = first();
  const athlete = await first().signIn('Ada');
  const row = { id: randomUUID(), name: 'X', status: 'waiting' as const, requested_by: athlete.user.id };
  const box = { west: 1, south: 1, east: 2, north: 2 };
  await database
    .insertInto('area_loads')
    .values({ ...row, ...box, is_shared: true })
    .execute();
  const stopAs = (requested_by: string | undefined) =>
    database.transaction().execute((trx) => cancelLoad(trx, row.id, { finished_at: new Date(), requested_by }));
  expect(await stopAs(athlete.user.id)).toBe(false);
  expect(await stopAs(undefined)).toBe(true);
});
