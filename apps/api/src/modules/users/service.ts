import { randomInt, randomUUID } from 'node:crypto';
import type { User } from '@sendlap/contract/users.ts';
import { cleanText, defaultUserName } from '@sendlap/domain/names.ts';
import { type Database, databaseErrorCode } from '#api/platform/database.ts';
import { createUserStore, type UserRow } from './store.ts';

/** No vowels and no 0, 1, l: nothing to misread, and no words by chance. */
const PUBLIC_ID_LETTERS = '23456789bcdfghjkmnpqrstvwxz';
const PUBLIC_ID_LENGTH = 10;
const MAX_TRIES = 5;
const UNIQUE_VIOLATION = '23505';

interface Claims {
  /** Together with the subject the only key of an account; an e-mail never is. */
  issuer: string;
  subject: string;
  /** Empty when the provider does not tell. */
  email: string;
  name: string | undefined;
  /** What boards may show from the start; null asks the person at the first run. */
  display_name: string | null;
}

export interface UserService {
  /** undefined for an id that is not (or no longer) there. */
  find(id: string): Promise<User | undefined>;
  /** The account of this identity; made at its first sign-in, with the defaults of the spec. */
  findOrCreate(claims: Claims): Promise<User>;
}

export function createUserService(database: Database): UserService {
  const store = createUserStore(database);
  return {
    async find(id) {
      const row = await store.findById(id);
      return row && presentUser(row);
    },

    async findOrCreate({ issuer, subject, email, name, display_name }) {
      const known = await store.findByIdentity(issuer, subject);
      if (known) return presentUser(known);
      const profile = {
        email,
        name: defaultUserName({ name, email }),
        display_name: cleanText(display_name ?? '') || null,
      };
      for (let tries = 1; ; tries += 1) {
        try {
          const user = { id: randomUUID(), public_id: randomPublicId(), ...profile };
          return presentUser(await store.createWithIdentity(user, issuer, subject));
        } catch (error) {
          // Another tab was quicker, or the public id is taken.
          if (databaseErrorCode(error) !== UNIQUE_VIOLATION || tries === MAX_TRIES) throw error;
          const made_meanwhile = await store.findByIdentity(issuer, subject);
          if (made_meanwhile) return presentUser(made_meanwhile);
        }
      }
    },
  };
}

/** For the operator's line; athletes find each other through friends. */
export async function findUserByPublicId(database: Database, public_id: string): Promise<User | undefined> {
  const row = await createUserStore(database).findByPublicId(public_id);
  return row && presentUser(row);
}

/** The user as the wire has it; body data comes from bio info and is 0 until there is some. */
function presentUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    public_id: row.public_id,
    age: 0,
    weight_kg: 0,
    height_cm: 0,
    is_active: row.is_active,
    created_at: row.created_at.toISOString(),
  };
}

function randomPublicId(): string {
  let id = 'sl-';
  for (let index = 0; index < PUBLIC_ID_LENGTH; index += 1) {
    id += PUBLIC_ID_LETTERS[randomInt(PUBLIC_ID_LETTERS.length)];
  }
  return id;
}
