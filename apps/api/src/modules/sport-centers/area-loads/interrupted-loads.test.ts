import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { loseSessionLock } from '#test/database/lose-session-lock.ts';
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
  listStoredReplies,
  nodes,
  overpass,
  request,
  send,
  startNode,
  useLoadScene,
} from '#test/scenes/load-scene.ts';
import { hall, OverpassServer } from '#test/servers/overpass-server.ts';

useLoadScene();

const loseLock = () => loseSessionLock(first().database, 'area_loads');

/** Lets the load wait before it saves, until `release`. */
async function holdSaving(): Promise<{ release: () => Promise<void>; endSavingConnection: () => Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = first()
    .database.transaction()
    .execute(async (trx) => {
      await sql`lock table sport_centers in access exclusive mode`.execute(trx);
      held.resolve();
      await promise;
    });
  await held.promise;
  const waiting = sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return {
    async release() {
      resolve();
      await holding;
    },
    async endSavingConnection() {
      const find = async () => (await waiting.execute(first().database)).rows.map(({ pid }) => pid);
      await expect.poll(find).toHaveLength(1);
      const [pid] = await find();
      await sql`select pg_terminate_backend(${pid})`.execute(first().database);
    },
  };
}

async function attemptsOf(id: string): Promise<number> {
  const load = await first()
    .database.selectFrom('area_loads')
    .select('attempts')
    .where('id', '=', id)
    .executeTakeFirst();
  return load?.attempts ?? -1;
}

const statusOf = async (id: string) => (await list()).find((load) => load.id === id)?.status;

test('a load that a stopped server left resumes after the next start', async () => {
  holdReplies();
  const { id } = await request(BILBAO);
  await expect.poll(() => overpass.queries.length).toBe(1);
  await nodes.pop()?.close();
  overpass.reply = OverpassServer.whole;
  await startNode();
  expect(await ended(id)).toMatchObject({ status: 'done', report: { imported: 2 } });
  expect(await attemptsOf(id)).toBe(1);
});

test('a server that stops while it saves ends the load first, and leaves no reply on disk', async () => {
  const node = await startNode();
  const saving = await holdSaving();
  const { id } = await request(BILBAO, node);
  await expect.poll(() => statusOf(id)).toBe('saving');
  const closing = node.close();
  await saving.release();
  await closing;
  expect(await ended(id)).toMatchObject({ status: 'done', report: { imported: 2 } });
  expect(await listStoredReplies()).toEqual([]);
});

describe('a lost lock', () => {
  test('lets the load resume under a new lock, without a second query, and is no attempt', async () => {
    const held = holdReplies();
    const { id } = await request(BILBAO);
    await expect.poll(() => held.length).toBe(1);
    await loseLock();
    for (const response of held) OverpassServer.whole(response, [hall(1, BILBAO.latitude, BILBAO.longitude)], 1);
    expect(await ended(id)).toMatchObject({ status: 'done', report: { imported: 1 } });
    expect([overpass.queries.length, await attemptsOf(id)]).toEqual([1, 1]);
    await expect.poll(listStoredReplies).toEqual([]);
  });

  test('that another node took stops the query of the first', async () => {
    const second = await startNode();
    const held = holdReplies();
    const { id } = await request(BILBAO);
    await expect.poll(() => held.length).toBe(1);
    await loseLock();
    const next = await request(GIRONA, second);
    await expect.poll(() => held.length).toBe(2);
    await expect.poll(() => held[0]?.destroyed, { timeout: 20_000 }).toBe(true);
    overpass.reply = OverpassServer.whole;
    for (const response of held)
      if (!response.destroyed) OverpassServer.whole(response, overpass.elements.slice(0, 2), 1);
    expect(await ended(id)).toMatchObject({ status: 'done', report: { imported: 2 } });
    expect(await ended(next.id)).toMatchObject({ status: 'done', report: { imported: 1 } });
    expect([await attemptsOf(id), await countCenters(), overpass.queries.length]).toEqual([1, 3, 3]);
  });
});

test('a connection that is lost while it saves leaves the load to the next attempt, with its replies', async () => {
  const saving = await holdSaving();
  const { id } = await request(BILBAO);
  await saving.endSavingConnection();
  await saving.release();
  expect([await countCenters(), await listStoredReplies()]).toEqual([0, [id]]);
  const next = await request(GIRONA);
  expect(await ended(id)).toMatchObject({ status: 'done', report: { imported: 2 } });
  await ended(next.id);
  await expect.poll(() => overpass.queries.length).toBe(2);
  expect(await attemptsOf(id)).toBe(2);
});

describe('a load that others wait for', () => {
  test('is not cancelled by the athlete who requested it', async () => {
    const [ada, bo] = [await first().signIn('Ada'), await first().signIn('Bo')];
    holdReplies();
    const { id, can_cancel } = (await send({ town_id: BILBAO.id }, ada)).json().data;
    expect(can_cancel).toBe(true);
    // Her own repeat is no other.
    expect((await send({ town_id: BILBAO.id }, ada)).json().data).toMatchObject({ id, can_cancel: true });
    await send({ town_id: BILBAO.id }, bo);
    expect((await cancel(id, first(), ada)).code).toBe('not_an_operator');
    expect((await cancel(id)).data.status).toBe('cancelled');
  });

  test('becomes the load of an operator who requests it: it goes first, and is in the audit trail', async () => {
    const ada = await first().signIn('Ada');
    const held = holdReplies();
    for (const latitude of [1, 2]) await send({ latitude, longitude: 5, radius_km: 5 }, ada);
    await expect.poll(() => held.length).toBe(1);
    const bo = await first().signIn('Bo');
    const { id } = (await send({ town_id: BILBAO.id }, bo)).json().data;
    expect((await request(BILBAO)).id).toBe(id);
    overpass.reply = OverpassServer.whole;
    for (const response of held) OverpassServer.whole(response, [], 1);
    await ended(id);
    await expect.poll(async () => (await list()).every(({ finished_at }) => finished_at !== null)).toBe(true);
    expect(overpass.queries.map((box) => Math.round(Number(box.split(',')[0])))).toEqual([1, 43, 2]);
    expect(await actsOf()).toEqual(['area_load_requested', 'area_load_done']);
  });
});
