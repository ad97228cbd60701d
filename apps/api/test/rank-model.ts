import {
  ALL_CENTERS,
  type Board,
  type Rank,
  type RankPage,
  type RankWindow,
  type Score,
} from '#api/modules/leaderboards/ranks/boards.ts';
import type { MemoryRanks } from '#api/modules/leaderboards/ranks/memory-ranks.ts';

export const OVERALL_BOARD: Board = { period: 'all', sport: 'all', sport_center_id: ALL_CENTERS };

/** Ranks the whole board by sorting: points descending, then the earliest, then the id. */
export function rankBySorting(scores: Iterable<Score>): Rank[] {
  const on_board = [...scores].filter(({ points }) => points > 0);
  on_board.sort((a, b) => b.points - a.points || a.reached_at_ms - b.reached_at_ms || (a.user_id < b.user_id ? -1 : 1));
  return on_board.map(({ user_id, points, reached_at_ms }) => ({
    user_id,
    rank: 1 + on_board.filter((other) => other.points > points).length,
    points,
    reached_at_ms,
  }));
}

export function pageBySorting(ranks: Rank[], skip: number, limit: number): RankPage {
  return { rows: ranks.slice(skip, skip + limit), total: ranks.length };
}

export function aroundBySorting(ranks: Rank[], user_id: string, reach: number): RankWindow {
  const at = ranks.findIndex((rank) => rank.user_id === user_id);
  const me = ranks[at];
  if (!me) return { rows: [], my_index: -1, next_points: null, total: ranks.length };
  const first = Math.max(0, at - reach);
  return {
    rows: ranks.slice(first, at + reach + 1),
    my_index: at - first,
    next_points: ranks.findLast(({ points }) => points > me.points)?.points ?? null,
    total: ranks.length,
  };
}

/** Returns every page, window and rank of a board, for these users and points. */
export function readEverything(store: MemoryRanks, board: Board, users: string[], points: number[]): unknown {
  return {
    pages: [0, 3, 1000].map((skip) => store.readPage(board, skip, 4)),
    all: store.readPage(board, 0, 10_000),
    around: users.map((user_id) => store.readAround(board, user_id, 3)),
    ranks: points.map((some) => store.rankOf(board, some)),
  };
}

/** Returns the result that `readEverything` must have for these scores. */
export function expectEverything(scores: Iterable<Score>, users: string[], points: number[]): unknown {
  const ranks = rankBySorting(scores);
  return {
    pages: [0, 3, 1000].map((skip) => pageBySorting(ranks, skip, 4)),
    all: pageBySorting(ranks, 0, 10_000),
    around: users.map((user_id) => aroundBySorting(ranks, user_id, 3)),
    ranks: points.map((some) => 1 + ranks.filter((rank) => rank.points > some).length),
  };
}

/** Rows for `fill`, in one batch. */
export async function* asBatch(scores: Score[]): AsyncGenerator<Score[]> {
  yield scores;
}

/** Rows for `fill` that arrive when the test sends them. */
export function createRowFeed(): {
  rows: AsyncGenerator<Score[]>;
  give(scores: Score[]): void;
  end(): void;
  fail(): void;
} {
  const steps: { scores: Score[]; then: 'more' | 'end' | 'fail' }[] = [];
  let wake = () => {};
  const push = (scores: Score[], then: 'more' | 'end' | 'fail') => {
    steps.push({ scores, then });
    wake();
  };
  async function* read(): AsyncGenerator<Score[]> {
    while (true) {
      const step = steps.shift();
      if (step?.then === 'end') return;
      if (step?.then === 'fail') throw new Error('the rows broke off');
      if (step) yield step.scores;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  return {
    rows: read(),
    give: (scores) => push(scores, 'more'),
    end: () => push([], 'end'),
    fail: () => push([], 'fail'),
  };
}
