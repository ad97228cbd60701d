import type { LiveEvent } from '@sendlap/contract/events.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '../database/database.ts';

const PAGE_SIZE = 200;

export interface KeptEvent {
  seq: number;
  event: LiveEvent;
}

/** The others are of the moment: nobody is told of them later. */
export type KeptType = Exclude<LiveEvent, { type: 'leaderboard_changed' | 'presence_changed' | 'typing' | 'resync' }>;

/** An event and whose stream it belongs to. */
export interface KeptFor {
  user_id: string;
  event: KeptType;
}

/** Adds events to the streams of their users. The caller tells of them (`EventWriter.tell`). */
export async function keepEvents(trx: Trx, kept: KeptFor[]): Promise<void> {
  if (kept.length > 0) await sql`with ${sql.join(keepParts(kept))} select`.execute(trx);
}

/** Adds events to the streams of their users, as parts (`name as (…)`) of a statement of the caller. */
export function keepParts(kept: KeptFor[]): RawBuilder<unknown>[] {
  if (kept.length === 0) return [];
  const events = kept.map(({ user_id, event }, nth) => ({ user_id, type: event.type, data: event, nth }));
  // The counter's row lock makes the numbers gapless in the order of the commits, so that a reader who has seen
  // number n has seen all before it.
  return [
    sql`
    event as (
      select *, row_number() over (partition by user_id order by nth) as place
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
      select user_id, last_seq - count(*) over (partition by user_id) + place, type, data
      from event join event_counter using (user_id))`,
  ];
}

/** The user's events after `seq`, in order, at most 200. */
export async function readEvents(
  database: Database,
  user_id: string,
  seq: number,
  limit = PAGE_SIZE,
): Promise<KeptEvent[]> {
  const rows = await database
    .selectFrom('user_events')
    .select(['seq', 'data'])
    .where('user_id', '=', user_id)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(Math.min(limit, PAGE_SIZE))
    .execute();
  return rows.map((row) => ({ seq: row.seq, event: row.data as LiveEvent }));
}

/** Where to go on. */
export interface Position {
  last_seq: number;
  /** What comes next is there, or nothing has come yet. */
  is_unbroken: boolean;
}

/** `seq`: the last event that was seen, undefined for none: then what was before matters no more. */
export async function readPosition(database: Database, user_id: string, seq: number | undefined): Promise<Position> {
  const { rows } = await sql<{ last_seq: number; has_next: boolean }>`
    select
      coalesce((select last_seq from user_event_counters where user_id = ${user_id}), 0)::bigint as last_seq,
      exists (select from user_events where user_id = ${user_id} and seq = ${(seq ?? 0) + 1}) as has_next`.execute(
    database,
  );
  const { last_seq = 0, has_next = false } = rows[0] ?? {};
  return { last_seq, is_unbroken: seq === undefined || seq === last_seq || (seq < last_seq && has_next) };
}

/** One without events is missing. */
export async function readLastSeqs(database: Database, user_ids: string[]): Promise<Map<string, number>> {
  const rows = await database
    .selectFrom('user_event_counters')
    .select(['user_id', 'last_seq'])
    .where('user_id', '=', sql<string>`any(${user_ids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ user_id, last_seq }) => [user_id, last_seq]));
}
