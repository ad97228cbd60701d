import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { center } from '#test/unit/fake-center.ts';
import { cleanUp } from './clean-up.ts';
import { openCache } from './database.ts';
import { saveSportCenters } from './sport-centers.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-21T12:00:00Z');
const NORA = '11111111-1111-4111-8111-111111111111';

test('copies of answers, e.g. of the boards that an athlete once looked at, are removed after 30 days, and no other value', async () => {
  const database = await openCache();
  const put = (key: string, value: unknown, user_id: string | null = NORA) =>
    database.put('metadata', { key, value, updated_at: NOW, user_id });
  await put('leaderboard week', { value: { rows: [] }, cached_at: NOW });
  await put('leaderboard month', { value: { rows: [] }, cached_at: NOW + 1 });
  await put('usual center', { id: 'x' });
  await put('last_preload', NOW, null);
  const keys = () => database.getAllKeys('metadata');
  await cleanUp(NOW + 30 * DAY_MS);
  expect(await keys()).toHaveLength(4);
  await cleanUp(NOW + 30 * DAY_MS + 1);
  expect(await keys()).toEqual(['last_preload', 'leaderboard month', 'usual center']);
});

test.each([
  ['that no server has confirmed, as on a phone without a network', null],
  ['that is a year ahead', -365 * DAY_MS],
  ['that is two days behind', 2 * DAY_MS],
])('by a clock %s, nothing is removed for its age', async (_clock, offset_ms) => {
  const database = await openCache();
  await database.clear('metadata');
  await database.put('metadata', {
    key: 'board',
    value: { value: {}, cached_at: NOW },
    updated_at: NOW,
    user_id: NORA,
  });
  await database.put('bio_info', { value: {} as never, cached_at: NOW, expires_at: NOW, user_id: NORA }, NORA);
  await database.put('threads', {
    ...{ user_id: NORA, chat_id: 'chat', was_synced: true, generation: 0 },
    ...{ is_erased: false, early_reads: [], updated_at: NOW },
  });
  await saveSportCenters([center(1)]);
  const countAll = () =>
    Promise.all((['metadata', 'bio_info', 'threads', 'sport_centers'] as const).map((store) => database.count(store)));
  const much_later = Date.now() + 365 * DAY_MS;
  await cleanUp(much_later, offset_ms);
  expect(await countAll()).toEqual([1, 1, 1, 1]);
  await cleanUp(much_later, 60_000);
  expect(await countAll()).toEqual([0, 0, 0, 0]);
});
