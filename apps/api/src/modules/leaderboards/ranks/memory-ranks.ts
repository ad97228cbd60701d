import { MemoryBoard } from './memory-board.ts';
import type { Board, RankStore, Score } from './rank-store.ts';
import { createPace } from './sort-in-slices.ts';
import { UserNumbers } from './user-numbers.ts';

/** In all boards together: some 300 MB. */
const MAX_ENTRIES = 8_000_000;
const MAX_BOARDS = 4096;
/** Changes between two looks at the clock. */
const STRIDE = 256;

interface Options {
  max_entries?: number;
  max_boards?: number;
  log?: { warn(fields: object, text: string): void };
}

interface Slot {
  board: MemoryBoard;
  /** Resolves when the board can be read, or never will; undefined once it can. */
  filling: Promise<void> | undefined;
}

/** What is lost together when the store is cleared. */
interface Content {
  users: UserNumbers;
  /** Numbers of users who left for good. */
  gone: Set<number>;
  /** By key, the one that was asked for last at the end. */
  slots: Map<string, Slot>;
  watermark: string | undefined;
}

/**
 * Boards in this process's memory. Beyond the limits, those that nobody asked for the longest are dropped; the one that was
 * asked for last stays even when it is too large by itself, which the log says once.
 */
export function createMemoryRanks(options: Options = {}): RankStore {
  const dropColdest = createDropping(options);
  let content = emptyContent();

  /** The board if it can be read; it has been asked for then. */
  const ask = (board: Board): MemoryBoard | undefined => {
    const key = keyOf(board);
    const slot = content.slots.get(key);
    if (!slot || slot.filling !== undefined) return undefined;
    content.slots.delete(key);
    content.slots.set(key, slot);
    return slot.board;
  };

  const fill = async (board: Board, scores: AsyncIterable<Score[]>): Promise<void> => {
    const key = keyOf(board);
    for (let other = content.slots.get(key); other; other = content.slots.get(key)) {
      if (other.filling === undefined) return;
      await other.filling;
    }
    const held = content;
    const slot: Slot = { board: new MemoryBoard(held.users), filling: Promise.resolve() };
    // Changes reach it from here on, before the first row is read.
    held.slots.set(key, slot);
    const filled = gather(held, slot.board, scores).then(
      () => {
        slot.filling = undefined;
        // Whoever filled it asks for it next.
        held.slots.delete(key);
        held.slots.set(key, slot);
        dropColdest(held.slots);
      },
      (error: unknown) => {
        held.slots.delete(key);
        throw error;
      },
    );
    // Who waits for it looks afterwards whether it went well.
    slot.filling = filled.catch(() => {});
    await filled;
  };

  return {
    readPage: async (board, skip, limit) => ask(board)?.readPage(skip, limit),
    readAround: async (board, user_id, reach) => ask(board)?.readAround(content.users.find(user_id), reach),
    rankOf: async (board, points) => ask(board)?.rankOf(points),
    fill,
    async apply(changes) {
      const held = content;
      const pace = createPace();
      let count = 0;
      for (const { board, scores } of changes) {
        const key = keyOf(board);
        for (const score of scores) {
          takeScore(held, held.slots.get(key)?.board, score);
          count += 1;
          if (count % STRIDE === 0) await pace();
        }
      }
      dropColdest(held.slots);
    },
    async remove(user_id) {
      const user = content.users.numberOf(user_id);
      content.gone.add(user);
      for (const { board } of content.slots.values()) board.remove(user);
    },
    readWatermark: async () => content.watermark,
    async writeWatermark(watermark) {
      content.watermark = watermark;
    },
    async clear() {
      content = emptyContent();
    },
    async close() {
      content = emptyContent();
    },
  };
}

function emptyContent(): Content {
  return { users: new UserNumbers(), gone: new Set(), slots: new Map(), watermark: undefined };
}

function keyOf({ period, sport, sport_center_id }: Board): string {
  return `${period} ${sport} ${sport_center_id}`;
}

async function gather(content: Content, board: MemoryBoard, scores: AsyncIterable<Score[]>): Promise<void> {
  const pace = createPace();
  for await (const part of scores) {
    for (let start = 0; start < part.length; start += STRIDE) {
      for (const score of part.slice(start, start + STRIDE)) takeScore(content, board, score);
      await pace();
    }
  }
  await board.sort();
}

function takeScore({ users, gone }: Content, board: MemoryBoard | undefined, score: Score): void {
  if (!board) return;
  const user = users.numberOf(score.user_id);
  if (gone.size === 0 || !gone.has(user)) board.take(user, score);
}

/** Keeps to the limits from call to call. */
function createDropping({ max_entries = MAX_ENTRIES, max_boards = MAX_BOARDS, log }: Options) {
  let is_told = false;
  return (slots: Map<string, Slot>): void => {
    let entries = slots.values().reduce((sum, { board }) => sum + board.entries, 0);
    const isWithin = () => entries <= max_entries && slots.size <= max_boards;
    if (isWithin()) return;
    const [last] = [...slots].findLast(([, { filling }]) => filling === undefined) ?? [];
    for (const [key, slot] of slots) {
      if (isWithin()) return;
      if (slot.filling !== undefined || key === last) continue;
      entries -= slot.board.entries;
      slots.delete(key);
    }
    if (is_told || entries <= max_entries) return;
    is_told = true;
    log?.warn({ entries, max_entries }, 'the boards that are needed take more memory than they should');
  };
}
