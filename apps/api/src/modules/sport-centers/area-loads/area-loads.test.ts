import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AreaLoad, cancelAreaLoad, listAreaLoads, requestAreaLoad } from '@sendlap/contract/area-loads.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp, type TestAppOptions } from '#test/app/app.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { hall, OverpassServer } from '#test/servers/overpass-server.ts';

const BILBAO = { id: 'geonames:3128026', latitude: 43.26271, longitude: -2.92528 };
const GIRONA = { id: 'geonames:3121456', latitude: 41.98311, longitude: 2.82493 };

let overpass: OverpassServer;
let folder: string;
let shared: Awaited<ReturnType<typeof createTestDatabase>>;
let nodes: TestApp[];
let operator: SignedIn;
let waits: number[];

beforeEach(async () => {
  overpass = await OverpassServer.start();
  overpass.elements = [
    hall(1, BILBAO.latitude, BILBAO.longitude),
    hall(2, BILBAO.latitude + 0.02, BILBAO.longitude),
    hall(3, GIRONA.latitude, GIRONA.longitude),
    // Natural rock is refused.
    {
      ...hall(4, BILBAO.latitude, BILBAO.longitude + 0.01),
      tags: { sport: 'climbing', natural: 'cliff', name: 'Roca' },
    },
  ];
  folder = await mkdtemp(join(tmpdir(), 'sendlap-loads-'));
  shared = await createTestDatabase();
  nodes = [];
  waits = [];
  const api = await startNode();
  operator = await api.signIn('Olga');
  await api.database.insertInto('operators').values({ user_id: operator.user.id }).execute();
});
afterEach(async () => {
  for (const node of nodes) await node.close();
  await overpass.close();
  await shared.drop();
  await rm(folder, { recursive: true, force: true });
});

async function startNode(options: TestAppOptions = {}): Promise<TestApp> {
  const node = await buildTestApp({
    database_url: shared.url,
    env: { OVERPASS_URL: overpass.url, DATA_DIR: folder },
    waitForOverpass: async (ms) => void waits.push(ms),
    ...options,
  });
  nodes.push(node);
  return node;
}

const first = () => nodes[0] as TestApp;

async function request({ id: town_id }: { id: string }, node = first()): Promise<AreaLoad> {
  const { headers } = operator;
  const reply = await node.app.inject({ method: 'POST', url: requestAreaLoad.path, headers, payload: { town_id } });
  expect(reply.statusCode).toBe(202);
  return reply.json().data;
}

async function list(): Promise<AreaLoad[]> {
  return (await first().app.inject({ url: listAreaLoads.path, headers: operator.headers })).json().data.items;
}

async function cancel(id: string, node = first()) {
  const url = cancelAreaLoad.path.replace(':id', id);
  return (await node.app.inject({ method: 'DELETE', url, headers: operator.headers })).json();
}

async function ended(id: string): Promise<AreaLoad> {
  const find = async () => (await list()).find((load) => load.id === id);
  await expect.poll(async () => (await find())?.finished_at, { timeout: 20_000 }).toEqual(expect.any(String));
  return (await find()) as AreaLoad;
}

const countCenters = async () =>
  Number(
    (
      await first()
        .database.selectFrom('sport_centers')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirst()
    )?.n,
  );
const versionOfCenters = async () =>
  (await first().database.selectFrom('sport_center_version').select('version').executeTakeFirst())?.version;

const actsOf = async () =>
  (await first().database.selectFrom('audit_entries').select('act').orderBy('id').execute()).map(({ act }) => act);

/** Leaves queries open, until the test answers them. */
function holdReplies(): ServerResponse[] {
  const held: ServerResponse[] = [];
  overpass.reply = (response) => void held.push(response);
  return held;
}

describe('refused, and nothing is queried:', () => {
  test.each([
    ['a town that does not exist', { town_id: 'geonames:1' }, 'town_unknown'],
    ['a name', { town_id: 'Bilbao' }, 'validation_failed'],
    ['a box', { town_id: BILBAO.id, box: [0, 0, 1, 1] }, 'validation_failed'],
  ])('%s', async (_name, payload, code) => {
    const { headers } = operator;
    const reply = await first().app.inject({ method: 'POST', url: requestAreaLoad.path, headers, payload });
    expect(reply.json().code).toBe(code);
    expect([overpass.queries, await list()]).toEqual([[], []]);
  });

  test('to cancel a load that does not exist', async () => {
    expect((await cancel('3f2b8c1e-6f0d-4f5e-9a57-0c1d2e3f4a5b')).code).toBe('area_load_not_found');
  });
});

test('a load saves what the importer accepts, counts it, and a second one changes no row', async () => {
  const { id } = await request(BILBAO);
  const load = await ended(id);
  expect(load).toMatchObject({ name: 'Bilbao', status: 'done', fetched: 1, total: 1, retry_at: null, failure: null });
  expect(load.report).toEqual({ read: 3, imported: 2, updated: 0, unchanged: 0, merged: 0, refused: 1, closed: 0 });
  expect(await countCenters()).toBe(2);
  const version = await versionOfCenters();
  const again = await ended((await request(BILBAO)).id);
  expect(again.report).toMatchObject({ imported: 0, updated: 0, unchanged: 2, closed: 0 });
  expect(await versionOfCenters()).toBe(version);
  expect(await actsOf()).toEqual(['area_load_requested', 'area_load_done', 'area_load_requested', 'area_load_done']);
});

test('of 40 requests at once for two towns at two nodes each town is queried once, one after the other', async () => {
  const second = await startNode();
  const loads = await Promise.all(
    Array.from({ length: 40 }, (_, at) => request(at % 2 ? BILBAO : GIRONA, at % 4 < 2 ? first() : second)),
  );
  const ids = [...new Set(loads.map(({ id }) => id))];
  expect((await Promise.all(ids.map(ended))).map(({ status }) => status)).toEqual(ids.map(() => 'done'));
  expect(new Set(overpass.queries).size).toBe(2);
  expect([overpass.queries.length, overpass.most_at_once]).toEqual([2, 1]);
  expect(await countCenters()).toBe(3);
});

test('a busy server is asked again when it says, and the load says until when it waits', async () => {
  const seen: (string | null | undefined)[] = [];
  overpass.reply = (response, elements, query) => {
    if (query === 1) return void response.writeHead(429, { 'retry-after': '42' }).end();
    void list().then(([load]) => {
      seen.push(load?.retry_at);
      OverpassServer.whole(response, elements, query);
    });
  };
  const { id } = await request(BILBAO);
  expect(await ended(id)).toMatchObject({ status: 'done', retry_at: null });
  expect(waits).toEqual([42_000]);
  expect(seen).toEqual([expect.any(String)]);
});

describe('a load fails with one line, saves nothing, and can be requested again, after', () => {
  test.each([
    ['garbage', (response: ServerResponse) => void response.end('<html>'), 'the answer is broken'],
    [
      'half a reply',
      (response: ServerResponse) => void response.end('{"elements":[],"remark":"runtime error: out of memory"}'),
      'the answer is not whole: runtime error: out of memory',
    ],
    ['504', (response: ServerResponse) => void response.writeHead(504).end(), 'answered 504'],
    ['a refusal', (response: ServerResponse) => void response.writeHead(400).end(), 'answered 400'],
    ['a lost connection', (response: ServerResponse) => void response.destroy(), "can't be reached"],
  ])('%s', async (_name, reply, reason) => {
    overpass.reply = reply;
    const load = await ended((await request(BILBAO)).id);
    expect(load).toMatchObject({ status: 'failed', report: null });
    expect(load.failure).toContain(reason);
    expect(load.failure).not.toContain('\n');
    expect(await countCenters()).toBe(0);
    overpass.reply = OverpassServer.whole;
    expect(await ended((await request(BILBAO)).id)).toMatchObject({ status: 'done' });
    expect(await actsOf()).toContain('area_load_failed');
  });
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
    // The other node does not hear of it: the operator's own node ends the query.
    await cancel(id);
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

test('a load that a stopped server left goes on after the next start', async () => {
  holdReplies();
  const { id } = await request(BILBAO);
  await expect.poll(() => overpass.queries.length).toBe(1);
  await nodes.pop()?.close();
  overpass.reply = OverpassServer.whole;
  await startNode();
  expect(await ended(id)).toMatchObject({ status: 'done', report: { imported: 2 } });
});
