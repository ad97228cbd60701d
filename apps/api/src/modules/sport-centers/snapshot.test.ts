import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { StartError } from '#api/platform/start-error.ts';
import { addCenters, buildCenterScene, type CenterScene, starterSeeds } from '#test/scenes/center-scene.ts';
import { createSportCenterService } from './service.ts';

let scene: CenterScene;

beforeAll(async () => {
  scene = await buildCenterScene(starterSeeds());
});

afterAll(() => scene.close());

it('a missing folder for temporary files is reported in one line', async () => {
  const { database } = scene;
  vi.stubEnv('TMPDIR', '/missing');
  onTestFinished(() => void vi.unstubAllEnvs());
  const said = /^TMPDIR: \/missing takes no files: ENOENT/;
  const started = createSportCenterService({ database });
  await expect(started).rejects.toThrow(StartError);
  await expect(started).rejects.toThrow(said);
});

it('requests keep the old snapshot while and after a newer one is loaded', async () => {
  const { database } = scene;
  const refreshed = Promise.withResolvers<void>();
  // The matches arrive only after the newer snapshot has taken over.
  const service = await createSportCenterService({
    database: database.withPlugin(delayResultsWith('ids', () => refreshed.promise)),
  });
  const slow = service.searchSportCenters({ q: 'a', limit: 100 });
  const { version } = service;
  await addCenters(database, [{ name: 'Another', at: [1, 1], sports: ['climbing'] }]);
  await service.refresh();
  expect(service.version).not.toBe(version);
  refreshed.resolve();
  const { data } = JSON.parse(String((await slow).body)) as { data: { items: { name: string }[] } };
  expect(data.items.length).toBeGreaterThan(0);
  expect(data.items.map(({ name }) => name)).not.toContain('Another');
  service.close();
});

it('of changes soon after each other the first one is loaded at once, the next one after a rest of ten times as long', async () => {
  const { database } = scene;
  let [clock_ms, clock_reads] = [0, 0];
  const readClock = () => {
    clock_reads += 1;
    return clock_ms;
  };
  /** A load takes 400 ms of the moved clock. */
  const passLoad = async () => {
    clock_ms += 400;
  };
  const slow = database.withPlugin(delayResultsWith('search_name', passLoad));
  const service = await createSportCenterService({ database: slow, poll_ms: 10, clock_ms: readClock });
  onTestFinished(() => service.close());
  const add = async (name: string) =>
    (await addCenters(database, [{ name, at: [2, 2], sports: ['climbing'] }]))[0] ?? '';
  const first = await add('First');
  await expect.poll(() => service.getById(first)).toBeDefined();
  const second = await add('Second');
  clock_ms += 3_900;
  const reads_before = clock_reads;
  // A hundred polls, which would have loaded it.
  await expect.poll(() => clock_reads - reads_before, { timeout: 20_000 }).toBeGreaterThan(100);
  expect(service.getById(second)).toBeUndefined();
  clock_ms += 100;
  await expect.poll(() => service.getById(second)).toBeDefined();
});

/** Delays results that have such a column until the promise of `wait` resolves. */
function delayResultsWith(column: string, wait: () => Promise<unknown>): KyselyPlugin {
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (result.rows[0] && column in result.rows[0]) await wait();
      return result;
    },
  };
}
