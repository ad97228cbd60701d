import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import { type KeptFor, keepEvents } from '#api/events/event-store.ts';
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

/** What a write gives. `is_repeat`: it was so before, and nothing has changed. */
export interface Outcome<Value> {
  value: Value;
  is_repeat: boolean;
}

export interface HeldPerson extends PersonRow {
  is_active: boolean;
}

/** Two people between whom nobody else changes anything until the transaction ends. */
export interface HeldPair {
  trx: Trx;
  /** Who calls. */
  me: HeldPerson;
  other: HeldPerson;
  now: Date;
  /** What the two are told, after the commit, in this order. */
  kept: KeptFor[];
  /** To be called where the two became friends, or are none any more. */
  noteFriendship(): Promise<void>;
}

/**
 * Runs what changes something between two people with the rows of both held, the lower id first as everywhere, so that
 * whatever they do at the same moment happens one after the other. Throws `absent` when the other one is not there.
 */
export async function holdPair<Value>(
  { events, changes, now }: FriendContext,
  { user_id, other_id, absent }: { user_id: string; other_id: string; absent: () => AppError },
  run: (pair: HeldPair) => Promise<Value>,
): Promise<Value> {
  let is_other_circle = false;
  const value = await events.transact(async (trx) => {
    const people = await lockPeople(trx, [user_id, other_id]);
    const [me, other] = [people.get(user_id), people.get(other_id)];
    if (!me) throw new AppError('unauthenticated', 'This account is no longer there');
    if (!other) throw absent();
    const kept: KeptFor[] = [];
    const noteFriendship = async () => {
      is_other_circle = true;
      // Other nodes read in it that boards link other people for these two.
      await sql`update users set changed_at = now() where id in (${user_id}, ${other_id})`.execute(trx);
    };
    const done = await run({ trx, me, other, now: now(), kept, noteFriendship });
    await keepEvents(trx, kept);
    events.tell(trx, kept, []);
    return done;
  });
  if (is_other_circle) for (const id of [user_id, other_id]) changes.addUserChange(id);
  return value;
}

/** A statement of its own: what is read after it is of the time when the rows are held. */
async function lockPeople(trx: Trx, user_ids: string[]): Promise<Map<string, HeldPerson>> {
  const { rows } = await sql<HeldPerson>`
    select id, display_name, public_id, is_active from users
    where id = any(${user_ids}::uuid[]) order by id for no key update`.execute(trx);
  return new Map(rows.map((row) => [row.id, row]));
}
