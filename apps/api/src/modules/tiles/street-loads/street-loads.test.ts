import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  cancelStreetLoad,
  listStreetLoads,
  requestStreetLoad,
  type StreetLoad,
} from '@sendlap/contract/map/street-loads.ts';
import { getMapConfig } from '@sendlap/contract/map/tiles.ts';
import { getServerProfile } from '@sendlap/contract/server-profile.ts';
import { boundingBox } from '@sendlap/domain/geo.ts';
import { tileIdToZxy } from 'pmtiles';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeArchive } from '#build/write-archive.ts';
import { buildTestApp, type SignedIn, type TestApp, type TestAppOptions } from '#test/app/app.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { loseSessionLock } from '#test/database/lose-session-lock.ts';
import { makeOperator } from '#test/scenes/right-holders.ts';
import { type ArchiveHost, openArchiveHost } from '#test/servers/archive-host.ts';
import { cutFile } from '../archive/cut-file.ts';
import { tileIdsInBox } from '../cut/tiles-in-box.ts';
import { STREETS_LOCK } from './load-queue.ts';

const BILBAO = { id: 'geonames:3128026', latitude: 43.26271, longitude: -2.92528 };
const GIRONA = { id: 'geonames:3121456', latitude: 41.98311, longitude: 2.82493 };

const ARCHIVE = makeArchive();

let host: ArchiveHost;
let folder: string;
let shared: Awaited<ReturnType<typeof createTestDatabase>>;
let nodes: TestApp[];
let operator: SignedIn;
beforeEach(async () => {
  host = await openArchiveHost(ARCHIVE);
  folder = await mkdtemp(join(tmpdir(), 'sendlap-streets-'));
  shared = await createTestDatabase();
  nodes = [];
  operator = await makeOperator(await startNode(), 'Olga');
});
afterEach(async () => {
  for (const node of nodes) await node.close();
  await host.close();
  await shared.drop();
  await rm(folder, { recursive: true, force: true });
});

/** A map of both towns. */
function makeArchive(): Buffer {
  const ids = [BILBAO, GIRONA].flatMap((town) => tileIdsInBox(boundingBox(town, 40), 0, 12));
  const tiles = [...new Set(ids)]
    .sort((a, b) => a - b)
    .map((id) => {
      const [z, x, y] = tileIdToZxy(id);
      return { z, x, y, bytes: Buffer.from(`tile ${z}/${x}/${y}`) };
    });
  return writeArchive({ tiles, bounds: [-10, 35, 5, 45], leaf_entries: 100 });
}

async function startNode(env: TestAppOptions['env'] = {}): Promise<TestApp> {
  const settings = { MAP_STREETS_SOURCE: host.url, DATA_DIR: folder, ...env };
  const node = await buildTestApp({ database_url: shared.url, env: settings });
  nodes.push(node);
  return node;
}

const first = () => nodes[0] as TestApp;
const send = (payload: object, who: SignedIn | null = operator, node = first()) =>
  node.app.inject({ method: 'POST', url: requestStreetLoad.path, headers: who?.headers ?? {}, payload });
const cancel = (id: string, who: SignedIn | null = operator, node = first()) =>
  node.app.inject({ method: 'DELETE', url: cancelStreetLoad.path.replace(':id', id), headers: who?.headers ?? {} });
const list = async (): Promise<StreetLoad[]> =>
  (await first().app.inject({ url: listStreetLoads.path, headers: operator.headers })).json().data.items;
const actsOf = async () =>
  (await first().database.selectFrom('audit_entries').select('act').orderBy('id').execute()).map(({ act }) => act);

async function request(town = BILBAO, node = first()): Promise<StreetLoad> {
  const reply = await send({ town_id: town.id }, operator, node);
  expect(reply.statusCode).toBe(202);
  return reply.json().data;
}

async function ended(id: string): Promise<StreetLoad> {
  const find = async () => (await list()).find((load) => load.id === id);
  await expect.poll(async () => (await find())?.finished_at, { timeout: 20_000 }).toEqual(expect.any(String));
  return (await find()) as StreetLoad;
}

/** Leaves requests for tiles open; directories are answered. */
function holdTiles(): { message: IncomingMessage; response: ServerResponse }[] {
  const held: { message: IncomingMessage; response: ServerResponse }[] = [];
  const start = Number(host.archive.readBigUInt64LE(56));
  host.misbehave = (message, response) => {
    const offset = Number(/=(\d+)/.exec(String(message.headers.range))?.[1]);
    if (offset < start) host.answer(message, response);
    else held.push({ message, response });
  };
  return held;
}

describe('refused, and nothing is requested from the host:', () => {
  const nothing = async () => expect([host.ranges, await list(), await actsOf()]).toEqual([[], [], []]);

  test('a town that does not exist, a name, an area, and to cancel a load that does not exist', async () => {
    for (const [payload, code] of [
      [{ town_id: 'geonames:1' }, 'town_unknown'],
      [{ town_id: 'Bilbao' }, 'validation_failed'],
      [{ latitude: 43, longitude: -3, radius_km: 5 }, 'validation_failed'],
    ] as const) {
      expect((await send(payload)).json().code, JSON.stringify(payload)).toBe(code);
      await nothing();
    }
    expect((await cancel('3f2b8c1e-6f0d-4f5e-9a57-0c1d2e3f4a5b')).json().code).toBe('street_load_not_found');
  });

  test('where MAP_STREETS decides the streets', async () => {
    const configured = await startNode({ MAP_STREETS: host.url });
    host.ranges.length = 0;
    expect((await send({ town_id: BILBAO.id }, operator, configured)).json().code).toBe('streets_in_settings');
    const read = (node: TestApp) => node.app.inject({ url: listStreetLoads.path, headers: operator.headers });
    const flags = [await read(first()), await read(configured)].map((reply) => reply.json().data.is_configured);
    expect(flags).toEqual([false, true]);
    await nothing();
  });

  test('to visitors, athletes and former operators', async () => {
    const athlete = await first().signIn('Ada');
    const former = await makeOperator(first(), 'Fo');
    await first().database.deleteFrom('operators').where('user_id', '=', former.user.id).execute();
    const id = '3f2b8c1e-6f0d-4f5e-9a57-0c1d2e3f4a5b';
    for (const [who, code] of [
      [null, 'unauthenticated'],
      [athlete, 'not_an_operator'],
      [former, 'not_an_operator'],
    ] as const) {
      const read = await first().app.inject({ url: listStreetLoads.path, headers: who?.headers ?? {} });
      const replies = [await send({ town_id: BILBAO.id }, who), await cancel(id, who), read];
      expect(replies.map((reply) => reply.json().code)).toEqual([code, code, code]);
    }
    await nothing();
  });
});

test('a load cuts the town out, and the server shows it at once, without a restart', async () => {
  const read = async (url: string) => (await first().app.inject({ url })).json().data;
  expect((await read(getServerProfile.path)).has_streets).toBe(false);
  expect((await read(getMapConfig.path)).streets).toBeNull();
  const { id } = await request();
  const load = await ended(id);
  expect(load).toMatchObject({ name: 'Bilbao', status: 'done', radius_km: expect.any(Number), failure: null });
  expect([load.fetched, load.total > 0]).toEqual([load.total, true]);
  expect((await read(getServerProfile.path)).has_streets).toBe(true);
  expect((await read(getMapConfig.path)).streets).toMatchObject({ max_zoom: 12 });
  expect((await first().app.inject('/v1/tiles/streets/12/2014/1499.mvt')).body).toBe('tile 12/2014/1499');
  expect(await actsOf()).toEqual(['street_load_requested', 'street_load_done']);
  // Another town takes its place.
  await ended((await request(GIRONA)).id);
  expect((await first().app.inject('/v1/tiles/streets/12/2014/1499.mvt')).statusCode).toBe(204);
  expect((await read(getMapConfig.path)).streets.bounds.west).toBeGreaterThan(2);
});

test('requests at once at two nodes make one load, and another town has to wait', async () => {
  const held = holdTiles();
  const second = await startNode();
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, at) => send({ town_id: BILBAO.id }, operator, at % 2 ? second : first())),
  );
  expect(new Set(replies.map((reply) => reply.json().data.id)).size).toBe(1);
  await expect.poll(() => held.length).toBe(1);
  expect((await send({ town_id: GIRONA.id })).json().code).toBe('street_load_under_way');
  const cancelled = await cancel(replies[0]?.json().data.id);
  expect(cancelled.json().data.status).toBe('cancelled');
  expect(await actsOf()).toEqual(['street_load_requested', 'street_load_cancelled']);
  host.misbehave = undefined;
  // The ranges that were fetched stay.
  const before = new Set(host.ranges);
  await ended((await request()).id);
  expect(host.ranges.length).toBeGreaterThan(before.size);
  expect(new Set(host.ranges).size).toBe(host.ranges.length);
});

test('a cancelled load leaves the previous streets, and stays cancelled', async () => {
  await ended((await request()).id);
  const before = await readFile(cutFile(folder));
  const held = holdTiles();
  const { id } = await request(GIRONA);
  await expect.poll(() => held.length).toBe(1);
  expect((await list())[0]).toMatchObject({ status: 'fetching', fetched: 0, total: expect.any(Number) });
  await cancel(id);
  expect((await cancel(id)).json().data).toMatchObject({ id, status: 'cancelled' });
  expect((await readFile(cutFile(folder))).equals(before)).toBe(true);
  expect(await actsOf()).toEqual([
    ...['street_load_requested', 'street_load_done'],
    ...['street_load_requested', 'street_load_cancelled'],
  ]);
});

test('a load that a shutdown interrupts resumes at the next start', async () => {
  const held = holdTiles();
  const { id } = await request();
  await expect.poll(() => held.length).toBe(1);
  await nodes.shift()?.close();
  host.misbehave = undefined;
  await startNode();
  expect(await ended(id)).toMatchObject({ status: 'done' });
  expect(new Set(host.ranges).size).toBe(host.ranges.length);
});

test('a load that lost its lock resumes under a new lock, without a second request, and is no attempt', async () => {
  const held = holdTiles();
  const { id } = await request();
  await expect.poll(() => held.length).toBe(1);
  await loseSessionLock(first().database, STREETS_LOCK);
  host.misbehave = undefined;
  for (const { message, response } of held) host.answer(message, response);
  expect(await ended(id)).toMatchObject({ status: 'done' });
  expect(new Set(host.ranges).size).toBe(host.ranges.length);
  expect(await first().database.selectFrom('street_loads').select('attempts').execute()).toEqual([{ attempts: 1 }]);
});

test('a load that cannot be done says why in one sentence, and can be requested again', async () => {
  const { archive } = host;
  host.archive = Buffer.alloc(20_000, 'x');
  const { id } = await request();
  expect(await ended(id)).toMatchObject({
    status: 'failed',
    failure: 'The map at MAP_STREETS_SOURCE cannot be used: this is not a PMTiles archive.',
  });
  expect(await actsOf()).toEqual(['street_load_requested', 'street_load_failed']);
  host.archive = archive;
  expect(await ended((await request()).id)).toMatchObject({ status: 'done' });
});
