import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeArchive } from '#build/write-archive.ts';
import { buildTileApp } from '#test/app/tile-app.ts';
import { type ArchiveSources, answerRange, createArchiveSources } from '#test/archive-sources.ts';
import { createTileService } from './service.ts';

const ARCHIVE = writeArchive({ tiles: [{ z: 0, x: 0, y: 0, bytes: Buffer.from('the whole world') }] });
const NEVER_MS = 60_000;

let sources: ArchiveSources;
beforeAll(async () => {
  sources = await createArchiveSources();
});
afterAll(() => sources.close());

it('a host that answers slower than a start may take delays neither the start nor the map of the world', async () => {
  const answers = Promise.withResolvers<void>();
  const answer = answerRange(() => ({ bytes: ARCHIVE }));
  const host = await sources.hostOf((request, response) => void answers.promise.then(() => answer(request, response)));
  const service = createTileService({ streets: host, timeout_ms: NEVER_MS, open_ms: 20 });
  const app = await buildTileApp(service);
  const config = () => app.inject({ url: '/v1/tiles' });
  const early = await config();
  expect([early.headers['cache-control'], early.json().data.streets]).toEqual(['no-store', null]);
  expect((await app.inject({ url: '/v1/tiles/0/0/0.mvt' })).statusCode).toBe(200);

  answers.resolve();
  await expect.poll(async () => (await config()).json().data.streets).not.toBeNull();
  expect((await app.inject({ url: '/v1/tiles/streets/0/0/0.mvt' })).body).toBe('the whole world');
  await app.close();
});
