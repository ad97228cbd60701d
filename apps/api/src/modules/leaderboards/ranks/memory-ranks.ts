import type { Around, Board, Page, Score } from './boards.ts';
import { MemoryBoard } from './memory-board.ts';
import { createPace } from './sort-in-slices.ts';
import { UserNumbers } from './user-numbers.ts';

/** Entries of all boards together: some 300 MB. */
const MAX_ENTRIES = 8_000_000;
const MAX_BOARDS = 4096;
/** Changes between two checks of the clock. */
const STRIDE = 256;

interface Options {
  max_entries?: number;
  max_boards?: number;
  log?: { warn(fields: object, text: string): void };
}

interface Slot {
  board: MemoryBoard;
  /** Resolves when filling ends, whether or not the board is readable then; undefined once readable. */
  filling: Promise<void> | undefined;
}

/** State that is dropped as a whole when the store is cleared. */
interface Content {
  users: UserNumbers;
  /** Numbers of users who left permanently. */
  gone: Set<number>;
  /** By key, the most recently used last. */
  slots: Map<string, Slot>;
}

/**
 * The ordered public boards, in this process's memory. A missing board returns `undefined`; the caller fills it and
 * asks again. Scores older than the known one are dropped.
 */
export interface MemoryRanks {
  readPage(board: Board, skip: number, limit: number): Page | undefined;
  /** Returns at most `reach` rows above and below the user; no rows for a user who is not on the board. */
  readAround(board: Board, user_id: string, reach: number): Around | undefined;
  /** 1 + the number of users with more points. */
  rankOf(board: Board, points: number): number | undefined;
  /**
   * Adds a board; keeps scores applied during the filling. `scores` are in no particular order. If `clear` drops the
   * board during the filling, it is missing afterwards, and nothing is thrown.
   */
  fill(board: Board, scores: AsyncIterable<Score[]>): Promise<void>;
  /** Applies scores to boards that are loaded or being filled; ignores all others. */
  apply(changes: { board: Board; scores: Score[] }[]): Promise<void>;
  /** Removes the user from every board permanently. */
  remove(user_id: string): void;
  /** Drops every board. */
  clear(): void;
}

/**
 * LRU: beyond the limits, the least recently read boards are dropped. The most recent one stays even if it is too large
 * by itself, which is logged once.
 */
export function createMemoryRanks(options: Options = {}): MemoryRanks {
  const dropColdest = createDropping(options);
  let content = emptyContent();

  /** Returns the board if readable, and marks it as most recently used. */
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
    // From here on the board receives changes, before the first row is read.
    held.slots.set(key, slot);
    const filled = gather(held, slot.board, scores).then(
      () => {
        slot.filling = undefined;
        // The caller that filled the board reads it next, so mark it as most recently used.
        held.slots.delete(key);
        held.slots.set(key, slot);
        dropColdest(held.slots);
      },
      (error: unknown) => {
        held.slots.delete(key);
        throw error;
      },
    );
    // Waiting callers check afterwards whether the filling succeeded.
    slot.filling = filled.catch(() => {});
    await filled;
  };

  return {
    readPage: (board, skip, limit) => ask(board)?.readPage(skip, limit),
    readAround: (board, user_id, reach) => ask(board)?.readAround(content.users.find(user_id), reach),
    rankOf: (board, points) => ask(board)?.rankOf(points),
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
    remove(user_id) {
      const user = content.users.numberOf(user_id);
      content.gone.add(user);
      for (const { board } of content.slots.values()) board.remove(user);
    },
    clear() {
      content = emptyContent();
    },
  };
}

function emptyContent(): Content {
  return { users: new UserNumbers(), gone: new Set(), slots: new Map() };
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

/** Enforces the limits; remembers across calls whether the warning was logged. */
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
