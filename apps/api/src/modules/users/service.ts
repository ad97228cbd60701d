import { randomInt, randomUUID } from 'node:crypto';
import type { User } from '@sendlap/contract/users.ts';
import { cleanText, defaultUserName } from '@sendlap/domain/names.ts';
import type { Identity } from '#api/accounts/identity.ts';
import { type Database, databaseErrorCode } from '#api/database/database.ts';
import type { EventWriter } from '#api/events/events.ts';
import { createFreshUsers } from '#api/sessions/fresh-users.ts';
import { createRecentChanges } from '#api/sessions/recent-changes.ts';
import { changePublicId } from './public-ids.ts';
import { createUserStore, type UserRow } from './store.ts';

/** No vowels and no 0, 1, l: nothing to misread, and no words by chance. */
const PUBLIC_ID_LETTERS = '23456789bcdfghjkmnpqrstvwxz';
const PUBLIC_ID_LENGTH = 10;
const MAX_TRIES = 5;
const UNIQUE_VIOLATION = '23505';

/** Issuer and subject together are the only key of an account; an e-mail never is. */
interface Claims extends Identity {
  /** What boards may show from the start; null asks the person at the first run. */
  display_name: string | null;
}

export type UserService = ReturnType<typeof createUserService>;

/** What changes of a user's own data need. */
export interface ChangeContext {
  database: Database;
  events: EventWriter;
  presence: Presence;
  users: Pick<UserService, 'noteChange'>;
  now: () => Date;
}

/** Tells friends of what a change makes of where they see the user. */
export interface Presence {
  around<Value>(user_id: string, change: () => Promise<Value>): Promise<Value>;
}

export function createUserService(database: Database, now = () => new Date(), changes = createRecentChanges(database)) {
  const store = createUserStore(database);
  const fresh = createFreshUsers(changes, async (id) => {
    const row = await store.findById(id);
    return row && presentUser(row);
  });
  return {
    /** undefined for an id that is not (or no longer) there. From memory, at most 5 s behind other nodes: do not change it. */
    find: fresh.find,
    /** To be called after the commit of every change of a user or of the bio info, so that this node shows it at once. */
    noteChange: changes.addUserChange,

    /**
     * The account of this identity; made at its first sign-in, with the defaults of the spec. Later the e-mail that the
     * provider tells is taken over, and the name unless the person chose one here. Throws what `confirm` does.
     */
    async findOrCreate({ issuer, subject, confirm, email, name, display_name }: Claims): Promise<User> {
      const known = await store.findByIdentity(issuer, subject);
      if (known) {
        const told = await store.updateFromProvider(known, { email, name });
        if (told) changes.addUserChange(known.id);
        return presentUser(told ?? known);
      }
      const profile = {
        email,
        name: defaultUserName({ name, email }),
        display_name: cleanText(display_name ?? '') || null,
      };
      for (let tries = 1; ; tries += 1) {
        try {
          const user = { id: randomUUID(), public_id: randomPublicId(), ...profile };
          return presentUser(await store.createWithIdentity(user, { issuer, subject, confirm }));
        } catch (error) {
          // Another tab was quicker, or the public id is taken.
          if (databaseErrorCode(error) !== UNIQUE_VIOLATION || tries === MAX_TRIES) throw error;
          const made_meanwhile = await store.findByIdentity(issuer, subject);
          if (made_meanwhile) return presentUser(made_meanwhile);
        }
      }
    },

    /** Gives the user another public id; the old one is held for them. Throws `public_id_taken`, `too_many_requests`. */
    async changePublicId(user_id: string, public_id: string): Promise<void> {
      await changePublicId(database, { user_id, public_id, now: now() });
      changes.addUserChange(user_id);
    },
  };
}

/** For the operator's line; athletes find each other through friends. */
export async function findUserByPublicId(database: Database, public_id: string): Promise<User | undefined> {
  const row = await createUserStore(database).findByPublicId(public_id);
  return row && presentUser(row);
}

/** The user as the wire has it; body data is 0 until there is some. */
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
