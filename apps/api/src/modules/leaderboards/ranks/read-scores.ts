import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import type { Board, Score } from './boards.ts';
import { IS_ON_BOARDS } from './on-boards.ts';
import { ROW_BYTES, unpackScores } from './unpack-scores.ts';
import { UserNumbers } from './user-numbers.ts';

/** Rows per chunk: some 5 ms of the database's time, and of this process's. */
const CHUNK_ROWS = 8192;
const ID_BYTES = 16;
/** With fewer of the board's rows per page, the index is faster than a scan of all pages. */
const DENSE_ROWS_PER_PAGE = 0.25;
/** Boards up to this size never justify a scan. */
const SMALL_ROWS = 20_000;

/** A score as bytes: parsing a million rows as texts would block this process for too long. */
const ROW = sql`uuid_send(s.user_id) || int4send(s.points) || int4send(s.version) || timestamptz_send(s.reached_at)`;

/**
 * Yields all scores of a board that public boards show, from one snapshot, taken at the first `next()` or later. Reads
 * ahead while the caller works, in short statements. Throws the signal's reason soon after an abort.
 */
export async function* readScores(database: Database, board: Board, signal?: AbortSignal): AsyncGenerator<Score[]> {
  const trx = await database
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    const { rows, pages } = await measureBoard(trx, board);
    const is_sparse = rows < SMALL_ROWS || rows < pages * DENSE_ROWS_PER_PAGE;
    const parts = is_sparse ? readByIndex(trx, board) : readByPages(trx, board, { rows, pages });
    for await (const scores of parts) {
      signal?.throwIfAborted();
      yield scores;
    }
  } finally {
    // The connection may be gone.
    await trx
      .rollback()
      .execute()
      .catch(() => {});
  }
}

interface BoardSize {
  rows: number;
  pages: number;
}

/**
 * The first statement fixes the snapshot: all later ones see the same, and no row visible to them is on a later page.
 */
async function measureBoard(trx: Trx, board: Board): Promise<BoardSize> {
  const { rows } = await sql<BoardSize>`
    select count(*) as rows, (pg_relation_size('board_scores') / current_setting('block_size')::int) as pages
    from board_scores s where ${isOfBoard(board)}`.execute(trx);
  return rows[0] ?? { rows: 0, pages: 0 };
}

function isOfBoard({ period, sport, sport_center_id }: Board): RawBuilder<boolean> {
  return sql`s.period = ${period} and s.sport = ${sport} and s.sport_center_id = ${sport_center_id}`;
}

async function* readByIndex(trx: Trx, board: Board): AsyncGenerator<Score[]> {
  await sql`declare board_rows no scroll cursor for
    select ${ROW} as packed from board_scores s join users u on u.id = s.user_id
    where ${isOfBoard(board)} and s.points > 0 and ${IS_ON_BOARDS}`.execute(trx);
  const fetch = async () => {
    const { rows } = await sql<{ packed: Buffer }>`fetch ${sql.lit(CHUNK_ROWS)} from board_rows`.execute(trx);
    return rows.map(({ packed }) => packed);
  };
  for await (const packed of prefetch(fetch)) yield unpackScores(Buffer.concat(packed));
}

/**
 * Reads a board with rows on most pages page by page. Hidden users are read beforehand, which is faster than a join.
 */
async function* readByPages(trx: Trx, board: Board, { rows, pages }: BoardSize): AsyncGenerator<Score[]> {
  const hidden = await loadHiddenUsers(trx);
  const stride = Math.max(1, Math.round((CHUNK_ROWS * pages) / rows));
  let page = 0;
  const read = async () => {
    if (page >= pages) return [];
    const found = await sql<{ packed: Buffer | null }>`
      select string_agg(${ROW}, ''::bytea) as packed from board_scores s
      where ${isOfBoard(board)} and s.points > 0 and ${isOnPages('s', page, page + stride)}`.execute(trx);
    page += stride;
    return [found.rows[0]?.packed ?? Buffer.alloc(0)];
  };
  for await (const [packed = Buffer.alloc(0)] of prefetch(read)) {
    const scores = unpackScores(packed);
    yield hidden.size === 0 ? scores : scores.filter(({ user_id }) => hidden.find(user_id) < 0);
  }
}

async function loadHiddenUsers(trx: Trx): Promise<UserNumbers> {
  const { rows } = await sql<{ pages: number }>`
    select (pg_relation_size('users') / current_setting('block_size')::int) as pages`.execute(trx);
  const pages = rows[0]?.pages ?? 0;
  const hidden = new UserNumbers();
  for (let page = 0; page < pages; page += CHUNK_ROWS / ROW_BYTES) {
    const found = await sql<{ ids: Buffer | null }>`
      select string_agg(uuid_send(u.id), ''::bytea) as ids from users u
      where not ${IS_ON_BOARDS} and ${isOnPages('u', page, page + CHUNK_ROWS / ROW_BYTES)}`.execute(trx);
    const ids = found.rows[0]?.ids?.toString('hex') ?? '';
    for (let at = 0; at < ids.length; at += 2 * ID_BYTES) hidden.numberOf(ids.slice(at, at + 2 * ID_BYTES));
  }
  return hidden;
}

function isOnPages(table: 's' | 'u', from: number, to: number): RawBuilder<boolean> {
  const ctid = sql.ref(`${table}.ctid`);
  return sql`${ctid} >= ${`(${from},0)`}::tid and ${ctid} < ${`(${to},0)`}::tid`;
}

/** Yields the results of `read` until it returns an empty one; prefetches the next while the caller works. */
async function* prefetch<Item>(read: () => Promise<Item[]>): AsyncGenerator<Item[]> {
  let next = read();
  try {
    for (let items = await next; items.length > 0; items = await next) {
      next = read();
      yield items;
    }
  } finally {
    await next.catch(() => {});
  }
}
