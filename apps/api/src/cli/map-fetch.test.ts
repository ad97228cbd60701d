import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boundingBox } from '@sendlap/domain/geo.ts';
import { tileIdToZxy } from 'pmtiles';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { withSessionLock } from '#api/database/session-lock.ts';
import { listAuditEntries } from '#api/modules/audit/service.ts';
import { cutFile } from '#api/modules/tiles/archive/cut-file.ts';
import { tileIdsInBox } from '#api/modules/tiles/cut/tiles-in-box.ts';
import { STREETS_LOCK } from '#api/modules/tiles/street-loads/load-queue.ts';
import { writeArchive } from '#build/write-archive.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { runVerb } from '#test/run-verb.ts';
import { type ArchiveHost, openArchiveHost } from '#test/servers/archive-host.ts';
import { command } from './map-fetch.ts';

let database: Database;
let close: () => Promise<void>;
let host: ArchiveHost;
let folder: string;
beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
  const bilbao = { latitude: 43.26271, longitude: -2.92528 };
  const tiles = tileIdsInBox(boundingBox(bilbao, 40), 0, 11).map((id) => {
    const [z, x, y] = tileIdToZxy(id);
    return { z, x, y, bytes: Buffer.from(`tile ${id}`) };
  });
  host = await openArchiveHost(writeArchive({ tiles }));
});
afterAll(async () => {
  await host.close();
  await close();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendlap-fetch-'));
  vi.stubEnv('DATA_DIR', folder);
  vi.stubEnv('MAP_STREETS_SOURCE', host.url);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const fetchMap = (...args: string[]) => runVerb(database, command.run, args);
const acts = async () => (await listAuditEntries(database, 10)).map(({ actor, act }) => [actor, act]);

test('wrong usage ends with 2 and the usage', async () => {
  for (const args of [[], ['Bilbao', 'more'], ['Bilbao', '--all']]) {
    const result = await fetchMap(...args);
    expect([result.code, result.stderr]).toEqual([2, expect.stringContaining('npm run sendlap -- map fetch <town>')]);
  }
});

test.each([
  ['a town that does not exist', () => {}, 'Nowhere at all', 'No town is called Nowhere at all.\n'],
  [
    'where MAP_STREETS decides the streets',
    () => vi.stubEnv('MAP_STREETS', '/maps/mine.pmtiles'),
    'Bilbao',
    'MAP_STREETS decides which streets the map has: remove it first.\n',
  ],
  ['a town that the map lacks', () => {}, 'Tokyo', 'The map at the address has no streets of Tokyo.\n'],
])('%s is refused', async (_, prepare, town, stderr) => {
  prepare();
  expect(await fetchMap(town)).toEqual({ code: 1, stdout: '', stderr });
  expect([existsSync(cutFile(folder)), await acts()]).toEqual([false, []]);
});

test('while the server loads streets it is refused', async () => {
  await withSessionLock(database, STREETS_LOCK, async () => {
    const { code, stderr } = await fetchMap('Bilbao');
    expect([code, stderr]).toEqual([1, expect.stringContaining('The server is loading streets.')]);
  });
  expect(existsSync(cutFile(folder))).toBe(false);
});

test('a town is cut out, for people and as JSON, with a line in the audit trail', async () => {
  const printed = await fetchMap('bilbo');
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  expect(printed.stdout).toMatch(/^The streets of Bilbao, 12 km around it: \d+ tiles, 0\.\d MB\.\n$/);
  expect(existsSync(cutFile(folder))).toBe(true);
  const { stdout } = await fetchMap('Bilbao', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ town: { name: 'Bilbao' }, radius_km: 12, max_zoom: 11 });
  expect(await acts()).toEqual(Array(2).fill(['operator CLI', 'street_load_done']));
});
