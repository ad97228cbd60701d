import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import { appendEvents, type UserEvent } from '#api/events/event-store.ts';
import type { EventWriter } from '#api/events/events.ts';
import { AppError } from '#api/platform/errors.ts';
import type { RecentChanges } from '#api/sessions/recent-changes.ts';
import type { PersonRow } from './store.ts';

export interface FriendContext {
  database: Database;
  events: EventWriter;
  changes: Pick<RecentChanges, 'addUserChange'>;
  now: () => Date;
}

/** The result of a write. `is_repeat`: already so; nothing has changed. */
export interface WriteResult<Value> {
  value: Value;
  is_repeat: boolean;
}

export interface LockedPerson extends PersonRow {
  is_active: boolean;
}

/** Two locked users: no other transaction changes anything between them until this one ends. */
export interface LockedPair {
  trx: Trx;
  /** The caller. */
  me: LockedPerson;
  other: LockedPerson;
  now: Date;
  /** Events for the two, sent after the commit in this order. */
  pending_events: UserEvent[];
  /** Call it when the two become friends or stop being friends. */
  markFriendshipChanged(): Promise<void>;
}

/**
 * Runs a change between two users with both rows locked, the lower id first as everywhere, so that their concurrent
 * calls run one after the other. Throws `notFoundError` if the other user does not exist.
 */
export async function withLockedPair<Value>(
  { events, changes, now }: FriendContext,
  { user_id, other_id, notFoundError: notFound }: { user_id: string; other_id: string; notFoundError: () => AppError },
  run: (pair: LockedPair) => Promise<Value>,
): Promise<Value> {
  let is_friendship_changed = false;
  const value = await events.transact(async (trx) => {
    const people = await lockPeople(trx, [user_id, other_id]);
    const [me, other] = [people.get(user_id), people.get(other_id)];
    if (!me) throw new AppError('unauthenticated', 'This account is no longer there');
    if (!other) throw notFound();
    const pending_events: UserEvent[] = [];
    const markFriendshipChanged = async () => {
      is_friendship_changed = true;
      // Tells other nodes that boards now link other people for these two.
      await sql`update users set changed_at = now() where id in (${user_id}, ${other_id})`.execute(trx);
    };
    const done = await run({ trx, me, other, now: now(), pending_events, markFriendshipChanged });
    await appendEvents(trx, pending_events);
    events.publish(trx, pending_events, []);
    return done;
  });
  if (is_friendship_changed) for (const id of [user_id, other_id]) changes.addUserChange(id);
  return value;
}

/** A separate statement: later reads see the state after the rows are locked. */
async function lockPeople(trx: Trx, user_ids: string[]): Promise<Map<string, LockedPerson>> {
  const { rows } = await sql<LockedPerson>`
    select id, display_name, public_id, is_active from users
    where id = any(${user_ids}::uuid[]) order by id for no key update`.execute(trx);
  return new Map(rows.map((row) => [row.id, row]));
}
