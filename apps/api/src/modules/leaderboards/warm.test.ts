import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#api/database/database.ts';
import { createEventWriter } from '#api/events/events.ts';
import { createFriendService } from '#api/modules/friends/service.ts';
import { createRecentChanges } from '#api/sessions/recent-changes.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { befriend } from '#test/factories.ts';
import { aroundBySorting, pageBySorting, rankBySorting } from '#test/rank-model.ts';
import { addAthlete, writeScore } from '#test/scenes/rank-rows.ts';
import { ALL_CENTERS, toBoardKey } from './ranks/boards.ts';
import { createMemoryRanks } from './ranks/memory-ranks.ts';
import { createRankIndex } from './ranks/rank-index.ts';
import { createLeaderboardService } from './service.ts';

const NOW = Date.parse('2026-11-18T12:00:00Z');

test('an athlete who asked before is answered from memory, even after the database has gone', async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const database = openDatabase(url);
  const ids = await Promise.all(Array.from({ length: 60 }, () => addAthlete(database)));
  const me = ids[30] ?? '';
  await befriend(database, { user: { id: me } }, { user: { id: ids[31] ?? '' } });
  const scores = ids.map((user_id, nth) => ({ user_id, version: 1, points: 100 - nth, reached_at_ms: NOW }));
  const ranked = rankBySorting(scores);
  const changes = createRecentChanges(database);
  const now = () => new Date(NOW);
  const leaderboards = createLeaderboardService({
    database,
    ranks: {
      readPage: async (_, skip, limit) => pageBySorting(ranked, skip, limit),
      readAround: async (_, user_id, reach) => aroundBySorting(ranked, user_id, reach),
      rankOf: async (_, points) => 1 + ranked.filter((entry) => entry.points > points).length,
      warm: async () => {},
    },
    friends: createFriendService({ database, events: createEventWriter(database), changes, now }),
    centers: { getById: () => undefined },
    changes,
    now,
  });
  const query = { period: 'week', scope: 'all' } as const;
  const ask = async () => ({
    around: await leaderboards.getSurrounding(me, query),
    page: await leaderboards.getLeaderboard(me, { ...query, limit: 50 }),
    week: await leaderboards.getWeekRank(me, '2026-W47'),
  });
  const before = await ask();
  expect(before.around.items.map(({ user }) => user.public_id !== undefined)).toEqual([
    false,
    false,
    false,
    true,
    true,
    false,
    false,
  ]);
  expect([before.page.items.length, before.page.me?.rank, before.week?.rank]).toEqual([50, 31, 31]);
  await database.destroy();
  expect(await ask()).toEqual(before);
  // Friends' boards are never cached.
  await expect(leaderboards.getSurrounding(me, { ...query, scope: 'friends' })).rejects.toThrow();
});

test('the first dashboard after a start fills no board: this week and the week before are filled with the start', async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const database = openDatabase(url);
  const me = await addAthlete(database);
  const all = { sport: 'all', sport_center_id: ALL_CENTERS } as const;
  for (const period of ['2026-W46', '2026-W47']) await writeScore(database, me, 50, { period, ...all });
  const store = createMemoryRanks();
  const filled: string[] = [];
  const ranks = createRankIndex({
    database,
    store: {
      ...store,
      fill(board, scores) {
        filled.push(toBoardKey(board));
        return store.fill(board, scores);
      },
    },
    log: { warn() {} },
  });
  const changes = createRecentChanges(database);
  const now = () => new Date(NOW);
  const friends = createFriendService({ database, events: createEventWriter(database), changes, now });
  const centers = { getById: () => undefined };
  const leaderboards = createLeaderboardService({ database, ranks, friends, centers, changes, now });
  await leaderboards.warm();
  const filled_at_start = filled.splice(0);
  expect(await leaderboards.getWeekRank(me, '2026-W47')).toMatchObject({ rank: 1, previous_rank: 1 });
  expect([filled, filled_at_start.length]).toEqual([[], new Set(filled_at_start).size]);
  await ranks.close();
  await database.destroy();
});
