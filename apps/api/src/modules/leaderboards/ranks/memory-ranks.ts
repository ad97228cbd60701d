import { type Board, type RankPage, type RankWindow, type Score, toBoardKey } from './boards.ts';
import { MemoryBoard } from './memory-board.ts';
import { createYielder } from './sort-in-slices.ts';
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
  removed_users: Set<number>;
  /** By key, the most recently used last. */
  slots: Map<string, Slot>;
}

/**
 * The ordered public boards, in this process's memory. A missing board returns `undefined`; the caller fills it and
 * asks again. Scores older than the known one are dropped.
 */
export interface MemoryRanks {
  readPage(board: Board, skip: number, limit: number): RankPage | undefined;
  /** Returns at most `rows_each_side` rows above and below the user; no rows for a user who is not on the board. */
  readAround(board: Board, user_id: string, rows_each_side: number): RankWindow | undefined;
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
  const evictColdest = createEviction(options);
  let content = emptyContent();

  /** Returns the board if readable, and marks it as most recently used. */
  const findReadable = (board: Board): MemoryBoard | undefined => {
    const key = toBoardKey(board);
    const slot = content.slots.get(key);
    if (!slot || slot.filling !== undefined) return undefined;
    content.slots.delete(key);
    content.slots.set(key, slot);
    return slot.board;
  };

  const fill = async (board: Board, scores: AsyncIterable<Score[]>): Promise<void> => {
    const key = toBoardKey(board);
    for (let other = content.slots.get(key); other; other = content.slots.get(key)) {
      if (other.filling === undefined) return;
      await other.filling;
    }
    const current = content;
    const slot: Slot = { board: new MemoryBoard(current.users), filling: Promise.resolve() };
    // From here on the board receives changes, before the first row is read.
    current.slots.set(key, slot);
    const filled = fillAndSort(current, slot.board, scores).then(
      () => {
        slot.filling = undefined;
        // The caller that filled the board reads it next, so mark it as most recently used.
        current.slots.delete(key);
        current.slots.set(key, slot);
        evictColdest(current.slots);
      },
      (error: unknown) => {
        current.slots.delete(key);
        throw error;
      },
    );
    // Waiting callers check afterwards whether the filling succeeded.
    slot.filling = filled.catch(() => {});
    await filled;
  };

  return {
    readPage: (board, skip, limit) => findReadable(board)?.readPage(skip, limit),
    readAround: (board, user_id, rows_each_side) =>
      findReadable(board)?.readAround(content.users.find(user_id), rows_each_side),
    rankOf: (board, points) => findReadable(board)?.rankOf(points),
    fill,
    async apply(changes) {
      const current = content;
      const yieldIfDue = createYielder();
      let count = 0;
      for (const { board, scores } of changes) {
        const key = toBoardKey(board);
        for (const score of scores) {
          applyScore(current, current.slots.get(key)?.board, score);
          count += 1;
          if (count % STRIDE === 0) await yieldIfDue();
        }
      }
      evictColdest(current.slots);
    },
    remove(user_id) {
      const user = content.users.numberOf(user_id);
      content.removed_users.add(user);
      for (const { board } of content.slots.values()) board.remove(user);
    },
    clear() {
      content = emptyContent();
    },
  };
}

function emptyContent(): Content {
  return { users: new UserNumbers(), removed_users: new Set(), slots: new Map() };
}

async function fillAndSort(content: Content, board: MemoryBoard, scores: AsyncIterable<Score[]>): Promise<void> {
  const yieldIfDue = createYielder();
  for await (const part of scores) {
    for (let start = 0; start < part.length; start += STRIDE) {
      for (const score of part.slice(start, start + STRIDE)) applyScore(content, board, score);
      await yieldIfDue();
    }
  }
  await board.sort();
}

function applyScore({ users, removed_users }: Content, board: MemoryBoard | undefined, score: Score): void {
  if (!board) return;
  const user = users.numberOf(score.user_id);
  if (removed_users.size === 0 || !removed_users.has(user)) board.applyScore(user, score);
}

/** Enforces the limits; remembers across calls whether the warning was logged. */
function createEviction({ max_entries = MAX_ENTRIES, max_boards = MAX_BOARDS, log }: Options) {
  let has_warned = false;
  return (slots: Map<string, Slot>): void => {
    let entries = slots.values().reduce((sum, { board }) => sum + board.entries, 0);
    const isWithinLimits = () => entries <= max_entries && slots.size <= max_boards;
    if (isWithinLimits()) return;
    const [last] = [...slots].findLast(([, { filling }]) => filling === undefined) ?? [];
    for (const [key, slot] of slots) {
      if (isWithinLimits()) return;
      if (slot.filling !== undefined || key === last) continue;
      entries -= slot.board.entries;
      slots.delete(key);
    }
    if (has_warned || entries <= max_entries) return;
    has_warned = true;
    log?.warn({ entries, max_entries }, 'the boards that are needed take more memory than they should');
  };
}
