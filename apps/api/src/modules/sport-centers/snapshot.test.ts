import { closeSync, existsSync, openSync } from 'node:fs';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { StartError } from '#api/platform/start-error.ts';
import { addCenters, buildCenterScene, type CenterScene, starterSeeds } from '#test/center-scene.ts';
import { testUnlessMissing } from '#test/skip-without.ts';
import { createNamelessFile } from './record-file.ts';
import { createSportCenterService, type SportCenterService } from './service.ts';
import { readInProcess } from './snapshot-files.ts';

/** Processes that start one after the other, on a machine that may have other things to do. */
const PROCESS_TIMEOUT_MS = 90_000;

let scene: CenterScene;

beforeAll(async () => {
  scene = await buildCenterScene(starterSeeds());
});

afterAll(() => scene.close());

const QUESTIONS = [
  { limit: 100 },
  { limit: 7, sport: 'swimming' as const },
  { limit: 20, latitude: 41.4, longitude: 2.1, radius_km: 500 },
  { limit: 20, q: 'piscina', latitude: 41.4, longitude: 2.1 },
];

async function answersOf(service: SportCenterService): Promise<string[]> {
  const answers = await Promise.all(QUESTIONS.map((query) => service.searchSportCenters(query)));
  return [service.version, ...answers.map(({ body }) => body.toString())];
}

it(
  'many centers, read in a process of their own, are found as few are, also after a change',
  async () => {
    const { database, database_url } = scene;
    const many = await createSportCenterService({ database, database_url, few: 10 });
    expect(await answersOf(many)).toEqual(await answersOf(scene.service));
    await addCenters(database, [{ name: 'Piscina nueva', at: [41.4, 2.1], sports: ['swimming'] }]);
    await scene.service.refresh();
    await many.refresh();
    expect(await answersOf(many)).toEqual(await answersOf(scene.service));
    many.close();
  },
  PROCESS_TIMEOUT_MS,
);

it(
  'a process that cannot read the centers is an error, not a wait',
  async () => {
    const database_url = scene.database_url.replace('sendlap@', 'nobody@');
    const { database } = scene;
    await expect(createSportCenterService({ database, database_url, few: 10 })).rejects.toThrow();
  },
  PROCESS_TIMEOUT_MS,
);

it('a process that never answers is given up after a while', async () => {
  const records_file = createNamelessFile();
  const reading = { database_url: scene.database_url, records_file, is_waited_for: false, deadline_ms: 0 };
  await expect(readInProcess(reading)).rejects.toThrow('took too long');
  closeSync(records_file);
});

it('a folder for temporary files that is missing is said in one line', async () => {
  const { database } = scene;
  vi.stubEnv('TMPDIR', '/missing');
  onTestFinished(() => void vi.unstubAllEnvs());
  const said = /^TMPDIR: \/missing takes no files: ENOENT/;
  const started = createSportCenterService({ database });
  await expect(started).rejects.toThrow(StartError);
  await expect(started).rejects.toThrow(said);
});

testUnlessMissing(
  existsSync('/dev/full') ? undefined : '/dev/full',
  'a process that finds no room says so',
  async () => {
    const records_file = openSync('/dev/full', 'r+');
    const reading = { database_url: scene.database_url, records_file, is_waited_for: false };
    await expect(readInProcess(reading)).rejects.toMatchObject({ code: 'ENOSPC', syscall: 'write' });
    closeSync(records_file);
  },
  PROCESS_TIMEOUT_MS,
);

it('requests go on with the old snapshot while and after a newer one was loaded', async () => {
  const { database } = scene;
  const refreshed = Promise.withResolvers<void>();
  // What the words match is known only when the newer snapshot has taken over.
  const service = await createSportCenterService({
    database: database.withPlugin(delayResultsWith('ids', refreshed.promise)),
  });
  const slow = service.searchSportCenters({ q: 'a', limit: 100 });
  const { version } = service;
  await addCenters(database, [{ name: 'Another', at: [1, 1], sports: ['climbing'] }]);
  await service.refresh();
  expect(service.version).not.toBe(version);
  refreshed.resolve();
  const { data } = JSON.parse((await slow).body.toString()) as { data: { items: { name: string }[] } };
  expect(data.items.length).toBeGreaterThan(0);
  expect(data.items.map(({ name }) => name)).not.toContain('Another');
  service.close();
});

/** Results that have such a column come only then. */
function delayResultsWith(column: string, then: Promise<void>): KyselyPlugin {
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (result.rows[0] && column in result.rows[0]) await then;
      return result;
    },
  };
}
