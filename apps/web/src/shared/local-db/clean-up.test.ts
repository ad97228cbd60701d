import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { cleanUp } from './clean-up.ts';
import { openCache } from './database.ts';

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
