import { setTimeout as sleep } from 'node:timers/promises';
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

it('of changes soon after each other the first one is loaded at once, the next ones after a rest of ten times as long', async () => {
  const { database } = scene;
  const slow = database.withPlugin(delayResultsWith('search_name', () => sleep(400)));
  const service = await createSportCenterService({ database: slow, poll_ms: 10 });
  onTestFinished(() => service.close());
  const add = async (name: string) =>
    (await addCenters(database, [{ name, at: [2, 2], sports: ['climbing'] }]))[0] ?? '';
  const first = await add('First');
  await expect.poll(() => service.getById(first), { timeout: 20_000 }).toBeDefined();
  const second = await add('Second');
  // Without a rest, the next load would have come and gone by now.
  await sleep(2_000);
  expect(service.getById(second)).toBeUndefined();
  await expect.poll(() => service.getById(second), { timeout: 40_000 }).toBeDefined();
}, 90_000);

/** Delays results that have such a column until the promise resolves. */
function delayResultsWith(column: string, wait: () => Promise<unknown>): KyselyPlugin {
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (result.rows[0] && column in result.rows[0]) await wait();
      return result;
    },
  };
}
