import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AreaLoad, cancelAreaLoad, listAreaLoads, requestAreaLoad } from '@sendlap/contract/area-loads.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp, type TestAppOptions } from '../app/app.ts';
import { createTestDatabase } from '../database/database.ts';
import { hall, OverpassServer } from '../servers/overpass-server.ts';
import { makeOperator } from './right-holders.ts';

export const BILBAO = { id: 'geonames:3128026', latitude: 43.26271, longitude: -2.92528 };
export const GIRONA = { id: 'geonames:3121456', latitude: 41.98311, longitude: 2.82493 };

export let overpass: OverpassServer;
let folder: string;
let shared: Awaited<ReturnType<typeof createTestDatabase>>;
export let nodes: TestApp[];
export let operator: SignedIn;
export let waits: number[];
let shift_ms: number;

/** Moves the clock of the servers; sessions may have ended by then. */
export function passTime(duration_ms: number): void {
  shift_ms += duration_ms;
}

/** A server with these options, an operator and an Overpass server for each test of the calling file. */
export function useLoadScene(options: TestAppOptions = {}): void {
  beforeEach(async () => {
    await openScene(options);
    operator = await makeOperator(first(), 'Olga');
  });
  afterEach(closeScene);
}

/** The same scene for all tests of the calling file. Each test begins without loads, centers and queries, as a new operator. */
export function shareLoadScene(options: TestAppOptions = {}): void {
  beforeAll(() => openScene(options));
  afterAll(closeScene);
  beforeEach(async () => {
    for (const table of ['area_loads', 'sport_centers', 'audit_entries'] as const) {
      await first().database.deleteFrom(table).execute();
    }
    operator = await makeOperator(first(), 'Olga');
    overpass.queries.length = 0;
    overpass.reply = OverpassServer.whole;
  });
}

async function openScene(options: TestAppOptions): Promise<void> {
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
  shift_ms = 0;
  await startNode(options);
}

async function closeScene(): Promise<void> {
  for (const node of nodes) await node.close();
  await overpass.close();
  await shared.drop();
  await rm(folder, { recursive: true, force: true });
}

export async function startNode(options: TestAppOptions = {}): Promise<TestApp> {
  const node = await buildTestApp({
    database_url: shared.url,
    env: { OVERPASS_URL: overpass.url, DATA_DIR: folder },
    waitForOverpass: async (ms) => void waits.push(ms),
    now: () => new Date(Date.now() + shift_ms),
    ...options,
  });
  nodes.push(node);
  return node;
}

export const first = () => nodes[0] as TestApp;

export const send = (payload: object, { headers }: SignedIn = operator, node = first()) =>
  node.app.inject({ method: 'POST', url: requestAreaLoad.path, headers, payload });

export async function request({ id: town_id }: { id: string }, node = first()): Promise<AreaLoad> {
  const reply = await send({ town_id }, operator, node);
  expect(reply.statusCode).toBe(202);
  return reply.json().data;
}

export async function list(): Promise<AreaLoad[]> {
  return (await first().app.inject({ url: listAreaLoads.path, headers: operator.headers })).json().data.items;
}

export async function cancel(id: string, node = first(), { headers }: SignedIn = operator) {
  const url = cancelAreaLoad.path.replace(':id', id);
  return (await node.app.inject({ method: 'DELETE', url, headers })).json();
}

export async function ended(id: string): Promise<AreaLoad> {
  const find = async () => (await list()).find((load) => load.id === id);
  await expect.poll(async () => (await find())?.finished_at, { timeout: 20_000 }).toEqual(expect.any(String));
  return (await find()) as AreaLoad;
}

/** The ids of the loads whose replies are on disk. */
export const listStoredReplies = () => readdir(join(folder, 'area-loads')).catch(() => []);

export const countCenters = async () =>
  Number(
    (
      await first()
        .database.selectFrom('sport_centers')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirst()
    )?.n,
  );
export const versionOfCenters = async () =>
  (await first().database.selectFrom('sport_center_version').select('version').executeTakeFirst())?.version;

export const actsOf = async () =>
  (await first().database.selectFrom('audit_entries').select('act').orderBy('id').execute()).map(({ act }) => act);

/** Leaves queries open, until the test answers them. */
export function holdReplies(): ServerResponse[] {
  const held: ServerResponse[] = [];
  overpass.reply = (response) => void held.push(response);
  return held;
}
