import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { asBatch, createRowFeed, expectEverything, OVERALL_BOARD, readEverything } from '#test/rank-model.ts';
import type { Board, Score } from './boards.ts';
import { createMemoryRanks, type MemoryRanks } from './memory-ranks.ts';

const CENTER: Board = {
  period: '2026-W47',
  sport: 'climbing',
  sport_center_id: 'c0000000-0000-4000-8000-000000000001',
};
const POINTS = [0, 1, 2, 99, 100, 101, 2_000_000_000];
const USERS = Array.from(
  { length: 12 },
  (_, index) => `${(index * 23).toString(16).padStart(8, '0')}-0000-4000-8000-00000000000${index.toString(16)}`,
);
const START_MS = Date.UTC(2026, 10, 16);

function user(index: number): string {
  return USERS[index] ?? '';
}

function score(index: number, points: number, { version = 1, at = 0 } = {}): Score {
  return { user_id: user(index), version, points, reached_at_ms: START_MS + at };
}

describe('the ranks in memory', () => {
  let store: MemoryRanks;
  beforeEach(() => {
    store = createMemoryRanks();
  });
  const suite: Suite = {
    store: () => store,
    expectBoard: (board, scores) =>
      expect(readEverything(store, board, USERS, POINTS)).toEqual(expectEverything(scores, USERS, POINTS)),
    expectAbsent(board) {
      expect(store.readPage(board, 0, 10)).toBeUndefined();
      expect(store.readAround(board, user(0), 3)).toBeUndefined();
      expect(store.rankOf(board, 10)).toBeUndefined();
    },
  };
  describeAbsence(suite);
  describeOrder(suite);
  describeVersions(suite);
  describeFilling(suite);
  describeLeaving(suite);
  describeChance();
});

interface Suite {
  store(): MemoryRanks;
  expectBoard(board: Board, scores: Score[]): void;
  expectAbsent(board: Board): void;
}

function describeAbsence({ store, expectBoard, expectAbsent }: Suite): void {
  it('answers undefined for a board that was never filled, also after changes to it', async () => {
    expectAbsent(OVERALL_BOARD);
    await store().apply([{ board: OVERALL_BOARD, scores: [score(1, 100)] }]);
    expectAbsent(OVERALL_BOARD);
    await store().fill(CENTER, asBatch([]));
    expectAbsent(OVERALL_BOARD);
    expectBoard(CENTER, []);
  });

  it('forgets its boards when cleared, and is filled again', async () => {
    await store().fill(OVERALL_BOARD, asBatch([score(1, 100, { version: 9 })]));
    store().clear();
    expectAbsent(OVERALL_BOARD);
    await store().fill(OVERALL_BOARD, asBatch([score(1, 50, { version: 2 })]));
    expectBoard(OVERALL_BOARD, [score(1, 50)]);
  });
}

function describeOrder({ store, expectBoard }: Suite): void {
  it('ranks ties alike and shows who was first first, then by id', async () => {
    const scores = [
      score(3, 100, { at: 5 }),
      score(1, 100, { at: 5 }),
      score(2, 100, { at: 4 }),
      score(4, 101, { at: 9 }),
      score(5, 99),
      score(6, 99),
      score(7, 2_000_000_000, { at: 86_400_000 }),
      score(8, 1),
    ];
    await store().fill(OVERALL_BOARD, asBatch(scores));
    const page = store().readPage(OVERALL_BOARD, 0, 6);
    expect(page?.rows.map(({ user_id, rank }) => [rank, user_id])).toEqual([
      [1, user(7)],
      [2, user(4)],
      [3, user(2)],
      [3, user(1)],
      [3, user(3)],
      [6, user(5)],
    ]);
    expectBoard(OVERALL_BOARD, scores);
    expect(store().readAround(OVERALL_BOARD, user(3), 1)).toMatchObject({
      my_index: 1,
      next_points: 101,
      total: 8,
      rows: [{ user_id: user(1) }, { user_id: user(3), rank: 3 }, { user_id: user(5), rank: 6 }],
    });
  });

  it('has no rows around a user who is not on the board, and none above the first', async () => {
    await store().fill(OVERALL_BOARD, asBatch([score(1, 7), score(2, 0)]));
    const none = { rows: [], my_index: -1, next_points: null, total: 1 };
    expect(store().readAround(OVERALL_BOARD, user(2), 3)).toEqual(none);
    expect(store().readAround(OVERALL_BOARD, user(3), 3)).toEqual(none);
    expect(store().readAround(OVERALL_BOARD, user(1), 3)).toMatchObject({ my_index: 0, next_points: null });
    expect(store().rankOf(OVERALL_BOARD, 7)).toBe(1);
    expect(store().rankOf(OVERALL_BOARD, 6)).toBe(2);
  });
}

function describeVersions({ store, expectBoard }: Suite): void {
  it('drops scores that are older than the known ones, or as old', async () => {
    await store().fill(OVERALL_BOARD, asBatch([score(1, 100, { version: 4 }), score(2, 50)]));
    await store().apply([
      { board: OVERALL_BOARD, scores: [score(1, 10, { version: 3 }), score(1, 20, { version: 4 })] },
    ]);
    expectBoard(OVERALL_BOARD, [score(1, 100), score(2, 50)]);
    await store().apply([
      { board: OVERALL_BOARD, scores: [score(1, 30, { version: 6 }), score(1, 20, { version: 5 })] },
    ]);
    expectBoard(OVERALL_BOARD, [score(1, 30), score(2, 50)]);
  });

  it('removes an athlete without points from the board, and no older score restores the athlete', async () => {
    await store().fill(OVERALL_BOARD, asBatch([score(1, 100), score(2, 50)]));
    await store().apply([{ board: OVERALL_BOARD, scores: [score(1, 0, { version: 5 }), score(3, 0, { version: 5 })] }]);
    await store().apply([
      { board: OVERALL_BOARD, scores: [score(1, 100, { version: 4 }), score(3, 9, { version: 4 })] },
    ]);
    expectBoard(OVERALL_BOARD, [score(2, 50)]);
    await store().apply([{ board: OVERALL_BOARD, scores: [score(1, 8, { version: 6, at: 1 })] }]);
    expectBoard(OVERALL_BOARD, [score(1, 8, { at: 1 }), score(2, 50)]);
  });
}

function describeFilling({ store, expectBoard, expectAbsent }: Suite): void {
  it('loses nothing that is applied while a board is filled, in whichever order the versions come', async () => {
    const slow = createRowFeed();
    const filled = store().fill(OVERALL_BOARD, slow.rows);
    slow.give([score(1, 100, { version: 5 }), score(2, 70, { version: 5 })]);
    expectAbsent(OVERALL_BOARD);
    await store().apply([
      { board: OVERALL_BOARD, scores: [score(1, 200, { version: 6 }), score(2, 1, { version: 4 })] },
      { board: OVERALL_BOARD, scores: [score(3, 0, { version: 3 }), score(4, 60), score(5, 0, { version: 2 })] },
    ]);
    slow.give([score(3, 90, { version: 2 }), score(5, 40, { version: 3 })]);
    slow.end();
    await filled;
    expectBoard(OVERALL_BOARD, [score(1, 200), score(2, 70), score(4, 60), score(5, 40)]);
  });

  it('fills a board once for those who ask at the same time', async () => {
    const slow = createRowFeed();
    const scores = [score(1, 100), score(2, 50)];
    const both = [store().fill(OVERALL_BOARD, slow.rows), store().fill(OVERALL_BOARD, asBatch(scores))];
    slow.give(scores);
    slow.end();
    await Promise.all(both);
    await store().fill(OVERALL_BOARD, asBatch(scores));
    expectBoard(OVERALL_BOARD, scores);
  });

  it('is as before when the rows break off, and can be filled again', async () => {
    const slow = createRowFeed();
    const filled = store().fill(OVERALL_BOARD, slow.rows);
    slow.give([score(1, 100)]);
    slow.fail();
    await expect(filled).rejects.toThrow('the rows broke off');
    expectAbsent(OVERALL_BOARD);
    await store().fill(OVERALL_BOARD, asBatch([score(2, 50)]));
    expectBoard(OVERALL_BOARD, [score(2, 50)]);
  });

  it('discards a fill that was under way when it was cleared', async () => {
    const slow = createRowFeed();
    const filled = store().fill(OVERALL_BOARD, slow.rows);
    slow.give([score(1, 100)]);
    store().clear();
    slow.end();
    await filled;
    expectAbsent(OVERALL_BOARD);
  });
}

function describeLeaving({ store, expectBoard }: Suite): void {
  it('removes an erased user from every board, also from one that is being filled', async () => {
    const slow = createRowFeed();
    await store().fill(CENTER, asBatch([score(1, 100), score(2, 50)]));
    const filled = store().fill(OVERALL_BOARD, slow.rows);
    slow.give([score(1, 100), score(2, 50)]);
    store().remove(user(1));
    store().remove(user(9));
    slow.give([score(9, 10)]);
    slow.end();
    await filled;
    expectBoard(OVERALL_BOARD, [score(2, 50)]);
    await store().apply([{ board: CENTER, scores: [score(1, 100, { version: 1 })] }]);
    expectBoard(CENTER, [score(2, 50)]);
  });
}

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      who: fc.nat(USERS.length - 1),
      points: fc.constantFrom(0, 1, 2, 99, 100, 101),
      at: fc.nat(2),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('deliver' as const), which: fc.nat(1000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fill' as const), parts: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
);

function describeChance(): void {
  it('agrees with sorting everything, whatever comes in which order while boards are filled', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const fresh = createMemoryRanks();
        const truth = await play(fresh, steps);
        expect(readEverything(fresh, OVERALL_BOARD, USERS, POINTS)).toEqual(expectEverything(truth, USERS, POINTS));
      }),
      { numRuns: 60 },
    ));
}

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Scores change and reach the store later, in any order, while it is filled from an earlier snapshot. */
async function play(store: MemoryRanks, steps: Step[]): Promise<Score[]> {
  const truth = new Map<string, Score>();
  const undelivered: Score[] = [];
  const fills: Promise<void>[] = [];
  const start = (parts: number) => {
    async function* rows(): AsyncGenerator<Score[]> {
      const seen = [...truth.values()];
      for (let part = 0; part < parts; part++) {
        await new Promise(setImmediate);
        yield seen.filter((_, index) => index % parts === part);
      }
    }
    fills.push(store.fill(OVERALL_BOARD, rows()));
  };
  for (const one of steps) {
    if (one.kind === 'change') {
      const version = (truth.get(user(one.who))?.version ?? 0) + 1;
      const changed = score(one.who, one.points, { version, at: one.at });
      truth.set(changed.user_id, changed);
      undelivered.push(changed);
    } else if (one.kind === 'deliver') {
      const scores = undelivered.splice(one.which % (undelivered.length + 1), 2);
      await store.apply([{ board: OVERALL_BOARD, scores }]);
    } else if (one.kind === 'fill') start(one.parts);
    else store.clear();
  }
  await Promise.all(fills);
  start(2);
  await store.apply([{ board: OVERALL_BOARD, scores: undelivered.reverse() }]);
  await Promise.all(fills);
  return [...truth.values()];
}
