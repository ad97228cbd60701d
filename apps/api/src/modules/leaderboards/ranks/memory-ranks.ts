import type { Around, Board, Page, Score } from './boards.ts';
import { MemoryBoard } from './memory-board.ts';
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
}

/**
 * The public boards in order, in this process's memory. A board that is not there answers `undefined`, and is filled before
 * it is asked again. Scores older than a known one are dropped.
 */
export interface MemoryRanks {
  readPage(board: Board, skip: number, limit: number): Page | undefined;
  /** At most `reach` rows above and below the user; no rows for a user who is not on the board. */
  readAround(board: Board, user_id: string, reach: number): Around | undefined;
  /** 1 + how many have more. */
  rankOf(board: Board, points: number): number | undefined;
  /**
   * Adds a board; scores that are applied during the filling are kept. `scores` come in no particular order. A board that is
   * lost during the filling (`clear`) is not there afterwards, and nothing is thrown.
   */
  fill(board: Board, scores: AsyncIterable<Score[]>): Promise<void>;
  /** To the boards that are there or being filled; all others are left alone. */
  apply(changes: { board: Board; scores: Score[] }[]): Promise<void>;
  /** The user leaves every board for good. */
  remove(user_id: string): void;
  /** Drops every board. */
  clear(): void;
}

/**
 * Beyond the limits, the boards that were read longest ago are dropped. The one that was read last stays even when it is too
 * large by itself, which is logged once.
 */
export function createMemoryRanks(options: Options = {}): MemoryRanks {
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
