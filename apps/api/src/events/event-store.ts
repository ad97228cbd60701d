import type { LiveEvent } from '@sendlap/contract/events.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '../database/database.ts';
import { PREPARED } from '../database/statement-pipeline.ts';

const PAGE_SIZE = 200;

export interface StoredEvent {
  seq: number;
  event: LiveEvent;
}

/**
 * The others are never appended: three are ephemeral (a client that was not connected never gets them), and `resync`
 * replaces stored events or begins a stream.
 */
export type PersistentEvent = Exclude<
  LiveEvent,
  { type: 'leaderboard_changed' | 'presence_changed' | 'typing' | 'resync' }
>;

/** An event and the user whose stream it belongs to. */
export interface UserEvent {
  user_id: string;
  event: PersistentEvent;
}

/** Appends events to their users' streams. The caller announces them (`EventWriter.publish`). */
export async function appendEvents(trx: Trx, user_events: UserEvent[]): Promise<void> {
  if (user_events.length > 0) await sql`with ${sql.join(appendEventCtes(user_events))} select`.execute(trx);
}

/** Returns CTEs (`name as (…)`) for the caller's statement that append events to their users' streams. */
export function appendEventCtes(user_events: UserEvent[]): RawBuilder<unknown>[] {
  if (user_events.length === 0) return [];
  const events = user_events.map(({ user_id, event }, nth) => ({ user_id, type: event.type, data: event, nth }));
  // The counter's row lock makes the numbers gapless in commit order, so a reader that has seen number n has seen all
  // before it.
  return [
    sql`
    event as (
      select *, row_number() over (partition by user_id order by nth) as position
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as e(user_id uuid, type text, data jsonb, nth int))`,
    sql`
    event_counter as (
      insert into user_event_counters (user_id, last_seq)
      select user_id, count(*) from event group by user_id order by user_id
      on conflict (user_id) do update set last_seq = user_event_counters.last_seq + excluded.last_seq
      returning user_id, last_seq)`,
    sql`
    kept_event as (
      insert into user_events (user_id, seq, type, data)
      select user_id, last_seq - count(*) over (partition by user_id) + position, type, data
      from event join event_counter using (user_id))`,
  ];
}

/** Returns the user's events after `seq`, in order, at most 200. */
export async function readEvents(
  database: Database,
  user_id: string,
  seq: number,
  limit = PAGE_SIZE,
): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`${PREPARED}
    select seq, data as event from user_events where user_id = ${user_id} and seq > ${seq}
    order by seq limit ${Math.min(limit, PAGE_SIZE)}::int`.execute(database);
  return rows;
}

/** The position from which a stream continues. */
export interface StreamPosition {
  last_seq: number;
  /** The next event is still stored, or there are no newer events. */
  is_contiguous: boolean;
}

/**
 * `seq`: the last event that the client saw; undefined for a client that only wants new ones, so nothing can be
 * missing.
 */
export async function readPosition(
  database: Database,
  user_id: string,
  seq: number | undefined,
): Promise<StreamPosition> {
  const { rows } = await sql<{ last_seq: number; has_next: boolean }>`${PREPARED}
    select
      coalesce((select last_seq from user_event_counters where user_id = ${user_id}), 0)::bigint as last_seq,
      exists (select from user_events where user_id = ${user_id} and seq = ${(seq ?? 0) + 1}) as has_next`.execute(
    database,
  );
  const { last_seq = 0, has_next = false } = rows[0] ?? {};
  return { last_seq, is_contiguous: seq === undefined || seq === last_seq || (seq < last_seq && has_next) };
}

/** Returns the latest number by user; users without events are missing. */
export async function readLastSeqs(database: Database, user_ids: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ user_id: string; last_seq: number }>`${PREPARED}
    select user_id, last_seq from user_event_counters where user_id = any(${user_ids}::uuid[])`.execute(database);
  return new Map(rows.map(({ user_id, last_seq }) => [user_id, last_seq]));
}

/**
 * Returns for how long (s) the oldest of these users' events after their position has been stored; 0 without one.
 */
export async function readEventLag(database: Database, positions: { user_id: string; seq: number }[]): Promise<number> {
  if (positions.length === 0) return 0;
  const user_ids = positions.map(({ user_id }) => user_id);
  const seqs = positions.map(({ seq }) => seq);
  const { rows } = await sql<{ lag_s: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(e.created_at)), 0)::float8 as lag_s
    from unnest(${user_ids}::uuid[], ${seqs}::bigint[]) as p(user_id, seq)
    cross join lateral (
      select created_at from user_events where user_id = p.user_id and seq > p.seq order by seq limit 1
    ) as e`.execute(database);
  return rows[0]?.lag_s ?? 0;
}
