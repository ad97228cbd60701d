import type { LiveEvent } from '@sendlap/contract/events.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';

const PAGE_SIZE = 200;

export interface KeptEvent {
  seq: number;
  event: LiveEvent;
}

export type KeptType = Extract<
  LiveEvent,
  { type: 'activity_changed' | 'scan_decided' | 'appeal_asked' | 'badge_earned' }
>;

/** An event and whose stream it belongs to. */
export interface KeptFor {
  user_id: string;
  event: KeptType;
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
export async function readEvents(database: Database, user_id: string, seq: number): Promise<KeptEvent[]> {
  const rows = await database
    .selectFrom('user_events')
    .select(['seq', 'data'])
    .where('user_id', '=', user_id)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(PAGE_SIZE)
    .execute();
  return rows.map((row) => ({ seq: row.seq, event: row.data as LiveEvent }));
}

export async function readLastSeq(database: Database, user_id: string): Promise<number> {
  const row = await database
    .selectFrom('user_event_counters')
    .select('last_seq')
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return row?.last_seq ?? 0;
}
