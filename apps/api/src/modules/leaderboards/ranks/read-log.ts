import { sql } from 'kysely';
import { type Database, databaseErrorCode } from '#api/database/database.ts';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { SERVER_INCARNATION } from '#api/platform/server-incarnation.ts';
import type { Board, Score } from './boards.ts';
import { IS_ON_BOARDS } from './on-boards.ts';
import { deleteForeignRows, PRUNED } from './prune-log.ts';

/** With more unread changes than this, refilling the boards is faster. */
const MAX_UNREAD = 20_000;
/** The same for scores: one user's change can cover thousands. */
const MAX_SCORES = 100_000;
/** In the form of `LogPosition`. */
const WATERMARK = sql`pg_snapshot_xmin(pg_current_snapshot())::text || ' ' || ${SERVER_INCARNATION}`;
/** PostgreSQL's `query_canceled`: statement timeout. */
const TIMED_OUT = '57014';

/** A reader's position in the log. */
export interface LogPosition {
  /**
   * Every transaction below it had ended and was read: its number (xid8) and, after a space, the incarnation of the
   * server that assigned it (`SERVER_INCARNATION`). Another incarnation may assign lower numbers again.
   */
  watermark: string;
  /** The snapshot of the last read (pg_snapshot): everything visible in it was read. */
  snapshot: string;
}

export interface LogBatch {
  /** Position for the next read. */
  next: LogPosition;
  /**
   * Absolute scores, as in the same snapshot; undefined: the log cannot be read from that position, so all boards must
   * be refilled.
   */
  changes: { board: Board; scores: Score[] }[] | undefined;
  /** Erased users. */
  erased_users: string[];
}

interface Row {
  next: string;
  snapshot: string;
  is_lost: boolean;
  has_foreign: boolean;
  user_id: string | null;
  is_gone: boolean;
  period: string | null;
  sport: Board['sport'];
  sport_center_id: string;
  points: number;
  version: number;
  reached_at_ms: number;
}

/**
 * Reads the log since a position, in one statement and so from one snapshot. `changes` is undefined if the position is
 * lost: it is of another incarnation of the server, there is too much to read, or reading times out. Otherwise the read
 * would be retried for ever, and no board be readable.
 */
export async function readLog(
  database: Database,
  position: LogPosition,
  max_scores: number = MAX_SCORES,
): Promise<LogBatch> {
  try {
    const rows = await readRows(database, position, max_scores);
    const [head] = rows;
    if (!head) throw new Error('The log has no head');
    if (head.has_foreign) await deleteForeignRows(database);
    const next = { watermark: head.next, snapshot: head.snapshot };
    if (head.is_lost || rows.length > max_scores) return { next, changes: undefined, erased_users: [] };
    const erased_users = rows.flatMap(({ user_id, is_gone }) => (is_gone && user_id ? [user_id] : []));
    return { next, changes: groupByBoard(rows), erased_users };
  } catch (error) {
    if (databaseErrorCode(error) !== TIMED_OUT) throw error;
    return { next: await readLogEnd(database), changes: undefined, erased_users: [] };
  }
}

/**
 * Misses no row: all transactions below the watermark, the oldest open one (pg_snapshot_xmin), have ended and were read;
 * a later commit has its number or a higher one, and is read next time. Rows read twice are harmless by their versions.
 * While a long transaction holds the watermark back, `snapshot` skips the rows read since.
 */
async function readRows(database: Database, { watermark, snapshot }: LogPosition, max_scores: number): Promise<Row[]> {
  const [xid, life] = watermark.split(' ');
  const { rows } = await sql<Row>`
    with unread as materialized (
      select xid, user_id, periods from board_changes where xid >= ${xid}::xid8 and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)
      order by xid limit ${MAX_UNREAD + 1}
    ), changed as (
      select user_id, bool_or(periods is null) as has_all, array_agg(distinct period) as periods
      from unread left join unnest(periods) as period on true group by user_id
    )
    select head.next, head.snapshot, head.is_lost or head.has_foreign as is_lost, head.has_foreign,
      c.user_id, c.user_id is not null and u.id is null as is_gone, s.period, s.sport, s.sport_center_id, s.version,
      floor(extract(epoch from s.reached_at) * 1000)::int8 as reached_at_ms, case when u.is_shown then s.points else 0 end as points
    from (
      select ${WATERMARK} as next, pg_current_snapshot()::text as snapshot,
        ${life}::text is distinct from ${SERVER_INCARNATION}
          or ${xid}::xid8 > pg_snapshot_xmax(pg_current_snapshot())
          or exists (select from unread where periods = ${PRUNED}::text[])
          or (select count(*) from unread) > ${MAX_UNREAD}
          -- A user was erased before their row was read.
          or exists (select from unread where user_id = ${DELETED_USER_ID}) as is_lost,
        exists (select from unread where xid >= pg_snapshot_xmax(pg_current_snapshot())) as has_foreign
    ) as head
    left join changed as c on not head.is_lost and not head.has_foreign
    left join lateral (select u.id, ${IS_ON_BOARDS} as is_shown from users u where u.id = c.user_id offset 0) as u on true
    left join lateral (
      select s.* from board_scores s where s.user_id = u.id and s.period = any(c.periods) and not c.has_all
      union all
      select s.* from board_scores s where s.user_id = u.id and c.has_all
    ) as s on true
    limit ${max_scores + 1}`.execute(database);
  return rows;
}

/** The start position of a reader that has read nothing yet. */
export async function readLogEnd(database: Database): Promise<LogPosition> {
  const { rows } = await sql<LogPosition>`
    select ${WATERMARK} as watermark, pg_current_snapshot()::text as snapshot
  `.execute(database);
  const [end] = rows;
  if (!end) throw new Error('The log has no end');
  return end;
}

/**
 * Returns for how long (s) the oldest change after a position has been waiting to be read, 0 without one; undefined for
 * a position of another incarnation of the server.
 */
export async function readLogLag(
  database: Database,
  { watermark, snapshot }: LogPosition,
): Promise<number | undefined> {
  const [xid, life] = watermark.split(' ');
  const { rows } = await sql<{ lag_s: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as lag_s
    from board_changes
    where xid >= ${xid}::xid8 and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)
    having ${life}::text is not distinct from ${SERVER_INCARNATION}`.execute(database);
  return rows[0]?.lag_s;
}

function groupByBoard(rows: Row[]): { board: Board; scores: Score[] }[] {
  const boards = new Map<string, { board: Board; scores: Score[] }>();
  for (const { user_id, period, sport, sport_center_id, points, version, reached_at_ms } of rows) {
    if (user_id === null || period === null) continue;
    const key = `${period} ${sport} ${sport_center_id}`;
    let change = boards.get(key);
    if (!change) {
      change = { board: { period, sport, sport_center_id }, scores: [] };
      boards.set(key, change);
    }
    change.scores.push({ user_id, version, points, reached_at_ms });
  }
  return [...boards.values()];
}
