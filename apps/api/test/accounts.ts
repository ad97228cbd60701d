import { randomUUID } from 'node:crypto';
import { emailKey } from '#api/accounts/email.ts';
import { OWN_ISSUER_KEY } from '#api/accounts/identity.ts';
import { hashPassword } from '#api/accounts/passwords.ts';
import type { Database } from '#api/database/database.ts';
import type { Secrets } from '#api/database/secrets.ts';
import { createUserService } from '#api/modules/users/service.ts';
import { REFRESH_COOKIE } from '#api/sessions/refresh-cookies.ts';
import { IDLE_END_MS } from '#api/sessions/session-expiry.ts';
import { createSessions } from '#api/sessions/sessions.ts';

export interface NewAccount {
  email: string;
  name: string;
  password: string;
}

export interface MadeAccount {
  user_id: string;
  public_id: string;
  /** The refresh cookie of the session that was created with the account. */
  cookie: { name: string; value: string; max_age_s: number };
}

interface Target {
  database: Database;
  secrets: Secrets;
  /** The clock of the server that uses this database. */
  now?: () => Date;
}

/** The device name under which Chromium's sign-ins are listed. */
const DEVICE = 'Chrome, Linux';

/** Cached: a password hash is slow on purpose, and most tests share one password. */
const hashes = new Map<string, Promise<string>>();

/** Creates the rows that a sign-up at the own provider leaves in the database: its account, the user and a session. */
export async function createAccount(target: Target, { email, name, password }: NewAccount): Promise<MadeAccount> {
  const { database, secrets, now = () => new Date() } = target;
  const hashed = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hashed);
  const account = { id: randomUUID(), email, email_key: emailKey(email), display_name: name };
  await database
    .insertInto('provider_accounts')
    .values({ ...account, password_hash: await hashed })
    .execute();
  const identity = { issuer: OWN_ISSUER_KEY, subject: account.id };
  const user = await createUserService(database, now).findOrCreate({ ...identity, email, name, display_name: name });
  const sessions = createSessions({ database, secrets, now: () => now().getTime() });
  const { refresh_token } = await sessions.create(user.id, DEVICE);
  const { id: user_id, public_id } = user;
  return { user_id, public_id, cookie: { name: REFRESH_COOKIE, value: refresh_token, max_age_s: IDLE_END_MS / 1000 } };
}
