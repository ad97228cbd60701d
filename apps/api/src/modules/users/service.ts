import { randomInt, randomUUID } from 'node:crypto';
import type { User } from '@sendlap/contract/users.ts';
import { cleanText, defaultUserName } from '@sendlap/domain/names.ts';
import type { Identity } from '#api/accounts/identity.ts';
import { type Database, databaseErrorCode, UNIQUE_VIOLATION } from '#api/database/database.ts';
import type { EventWriter } from '#api/events/events.ts';
import { createRecentChanges } from '#api/sessions/recent-changes.ts';
import { createUserCache } from '#api/sessions/user-cache.ts';
import { changePublicId } from './public-ids.ts';
import { createUserStore, type UserRow } from './store.ts';

export type { AccountLocks, LockAct } from './account-locks.ts';

/** No vowels and no 0, 1, l: nothing to misread, and no accidental words. */
const PUBLIC_ID_LETTERS = '23456789bcdfghjkmnpqrstvwxz';
const PUBLIC_ID_LENGTH = 10;
const MAX_TRIES = 5;

/** Issuer and subject together are the only key of an account, never an e-mail address. */
interface Claims extends Identity {
  /** The initial name on boards; null: the person is asked at the first run. */
  display_name: string | null;
}

export type UserService = ReturnType<typeof createUserService>;

/** Dependencies of changes to a user's own data. */
export interface ChangeContext {
  database: Database;
  events: EventWriter;
  presence: Presence;
  users: Pick<UserService, 'recordChange'>;
  now: () => Date;
}

/** Notifies friends if a change affects where they see the user. */
export interface Presence {
  runAndNotify<Value>(user_id: string, change: () => Promise<Value>): Promise<Value>;
}

export function createUserService(database: Database, now = () => new Date(), changes = createRecentChanges(database)) {
  const store = createUserStore(database);
  const fresh = createUserCache(changes, async (id) => {
    const row = await store.findById(id);
    return row && presentUser(row);
  });
  return {
    /**
     * Returns undefined for an id that does not exist (any longer). Cached, at most 5 s behind other nodes: do not
     * mutate the result.
     */
    find: fresh.find,
    /** As `find`, at once; undefined if it has to wait or to load. */
    findCached: fresh.findCached,
    /**
     * Call it after the commit of every change of a user or their bio info, so that this node shows the change at once.
     */
    recordChange: changes.addUserChange,

    /**
     * Returns the account of this identity; created at its first sign-in, with the defaults of the spec. Later sign-ins
     * update the e-mail address from the provider, and the name unless the person chose one here. Throws the errors of
     * `recheck`.
     */
    async findOrCreate({ issuer, subject, recheck, email, name, display_name }: Claims): Promise<User> {
      const known = await store.findByIdentity(issuer, subject);
      if (known) {
        const updated = await store.updateFromProvider(known, { email, name });
        if (updated) changes.addUserChange(known.id);
        return presentUser(updated ?? known);
      }
      const profile = {
        email,
        name: defaultUserName({ name, email }),
        display_name: cleanText(display_name ?? '') || null,
      };
      for (let tries = 1; ; tries += 1) {
        try {
          const user = { id: randomUUID(), public_id: randomPublicId(), ...profile };
          return presentUser(await store.createWithIdentity(user, { issuer, subject, recheck }));
        } catch (error) {
          // Another tab won the race, or the public id is taken.
          if (databaseErrorCode(error) !== UNIQUE_VIOLATION || tries === MAX_TRIES) throw error;
          const created_concurrently = await store.findByIdentity(issuer, subject);
          if (created_concurrently) return presentUser(created_concurrently);
        }
      }
    },

    /** Changes the user's public id; the old one is held for them. Throws `public_id_taken`, `too_many_requests`. */
    async changePublicId(user_id: string, public_id: string): Promise<void> {
      await changePublicId(database, { user_id, public_id, now: now() });
      changes.addUserChange(user_id);
    },
  };
}

/** For operators; athletes find each other through friends. */
export async function findUserByPublicId(database: Database, public_id: string): Promise<User | undefined> {
  const row = await createUserStore(database).findByPublicId(public_id);
  return row && presentUser(row);
}

/** The user in wire form; body data is 0 until saved. */
function presentUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    public_id: row.public_id,
    age: row.age ?? 0,
    weight_kg: row.weight_kg ?? 0,
    height_cm: row.height_cm ?? 0,
    is_active: row.is_active,
    created_at: row.created_at.toISOString(),
  };
}

function randomPublicId(): string {
  const letters = Array.from(
    { length: PUBLIC_ID_LENGTH },
    () => PUBLIC_ID_LETTERS[randomInt(PUBLIC_ID_LETTERS.length)],
  );
  return `sl-${letters.join('')}`;
}
