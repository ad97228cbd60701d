import { describe, expect, it } from 'vitest';
import { asBatch, expectEverything, OVERALL_BOARD, rankBySorting, readEverything } from '#test/rank-model.ts';
import type { Board, Score } from './boards.ts';
import { createMemoryRanks } from './memory-ranks.ts';

const ALICE = 'a0000000-0000-4000-8000-000000000001';
const BOARDS: Board[] = ['2026-W45', '2026-W46', '2026-W47'].map((period) => ({ ...OVERALL_BOARD, period }));

function scoresOf(count: number, seed = 1): Score[] {
  return Array.from({ length: count }, (_, index) => ({
    user_id: `${(Math.imul(index + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
    version: 1,
    points: 1 + ((Math.imul(index + seed, 7919) >>> 0) % 300),
    reached_at_ms: 1_700_000_000_000 + ((index * seed) % 5),
  }));
}

describe('the memory limit of the ranks', () => {
  it('drops the least recently read boards, and never the one just filled', async () => {
    const store = createMemoryRanks({ max_entries: 250 });
    const [first, second, third] = BOARDS as [Board, Board, Board];
    await store.fill(first, asBatch(scoresOf(100)));
    await store.fill(second, asBatch(scoresOf(100)));
    expect(store.rankOf(first, 0)).toBe(101);
    await store.fill(third, asBatch(scoresOf(100)));
    expect(store.rankOf(second, 0)).toBeUndefined();
    expect(store.rankOf(first, 0)).toBe(101);
    await store.fill(second, asBatch(scoresOf(400)));
    expect(store.rankOf(second, 0)).toBe(401);
    expect(store.rankOf(first, 0)).toBeUndefined();
  });

  it('keeps a board that is too large alone through changes of any board, and logs it once', async () => {
    const warnings: object[] = [];
    const store = createMemoryRanks({ max_entries: 250, log: { warn: (fields) => void warnings.push(fields) } });
    const [first, second, third] = BOARDS as [Board, Board, Board];
    await store.fill(second, asBatch(scoresOf(100)));
    expect(warnings).toEqual([]);
    await store.fill(first, asBatch(scoresOf(400)));
    for (const board of BOARDS) await store.apply([{ board, scores: scoresOf(1, 2) }]);
    await store.apply([]);
    expect(store.rankOf(first, 0)).toBe(401);
    expect(store.rankOf(second, 0)).toBeUndefined();
    await store.fill(third, asBatch(scoresOf(10)));
    expect(store.rankOf(third, 0)).toBe(11);
    await store.fill(first, asBatch(scoresOf(400)));
    expect(warnings).toEqual([{ entries: 400, max_entries: 250 }]);
  });

  it('keeps at most max_boards boards, however small', async () => {
    const store = createMemoryRanks({ max_boards: 2 });
    for (const board of BOARDS) await store.fill(board, asBatch([]));
    expect(BOARDS.map((board) => store.rankOf(board, 0))).toEqual([undefined, 1, 1]);
  });

  it('drops boards also when changes make them grow', async () => {
    const store = createMemoryRanks({ max_entries: 150 });
    const [first, second] = BOARDS as [Board, Board];
    await store.fill(first, asBatch(scoresOf(50)));
    await store.fill(second, asBatch(scoresOf(50)));
    await store.apply([{ board: second, scores: scoresOf(120) }]);
    expect(store.rankOf(first, 0)).toBeUndefined();
    expect(store.rankOf(second, 0)).toBe(121);
  });

  it('gives the same ranks as a full sort of thousands of users, after thousands of changes', async () => {
    const store = createMemoryRanks();
    const before = scoresOf(5000);
    await store.fill(OVERALL_BOARD, asBatch(before));
    const changed = scoresOf(3000, 13).map((score, index) => ({
      ...score,
      version: 2,
      points: index % 7 === 0 ? 0 : score.points,
    }));
    await store.apply([{ board: OVERALL_BOARD, scores: changed }]);
    const after = [...changed, ...before.slice(3000)];
    const users = [ALICE, ...after.filter((_, index) => index % 500 === 0).map(({ user_id }) => user_id)];
    expect(readEverything(store, OVERALL_BOARD, users, [0, 1, 150, 299, 300])).toEqual(
      expectEverything(after, users, [0, 1, 150, 299, 300]),
    );
  });

  it('applies changes that come while thousands of rows are sorted', async () => {
    const store = createMemoryRanks();
    const before = scoresOf(60_000);
    const filled = store.fill(OVERALL_BOARD, asBatch(before));
    const changed = scoresOf(3000, 13).map((score) => ({ ...score, version: 2 }));
    for (const score of changed) {
      await store.apply([{ board: OVERALL_BOARD, scores: [score] }]);
      await new Promise(setImmediate);
    }
    await filled;
    const ranks = rankBySorting([...changed, ...before.slice(3000)].filter(({ points }) => points > 295));
    expect(store.readPage(OVERALL_BOARD, 0, ranks.length)?.rows).toEqual(ranks);
  });
});
