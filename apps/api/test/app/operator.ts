import { randomUUID } from 'node:crypto';
import { type Database, openDatabase } from '#api/database/database.ts';
import { createSecrets, loadOrCreateSecret } from '#api/database/secrets.ts';
import { createUserService } from '#api/modules/users/service.ts';
import { createSessions } from '#api/sessions/sessions.ts';
import { createAccount, type MadeAccount, type NewAccount } from '../accounts.ts';
import { databaseUrlOf } from '../database/database-faults.ts';

/** The address of a running server's database, and the secret from which its keys are derived. */
export interface OperatorAddress {
  database_url: string;
  secret: string;
}

export interface Operator {
  database: Database;
  /** Creates a user with a session of the running server. */
  signIn(name: string): Promise<{ user_id: string; token: string }>;
  /** Creates a session of an existing user. Returns its access token. */
  createSession(user_id: string): Promise<string>;
  /** Creates a user who can sign in with a password. */
  createAccount(account: NewAccount): Promise<MadeAccount>;
  close(): Promise<void>;
}

/** For a server that runs on its own data folder. */
export async function addressOf(data_dir: string): Promise<OperatorAddress> {
  return { database_url: databaseUrlOf(data_dir), secret: await loadOrCreateSecret(data_dir) };
}

/**
 * Works next to a running server, as the operator CLI does, for programs that load it. `server`: its address, or its
 * data folder. `now`: the server's clock.
 */
export async function openOperator(
  server: OperatorAddress | string,
  now: () => Date = () => new Date(),
): Promise<Operator> {
  const { database_url, secret } = typeof server === 'string' ? await addressOf(server) : server;
  const database = openDatabase(database_url);
  const secrets = createSecrets(secret);
  const sessions = createSessions({ database, secrets, now: () => now().getTime() });
  const users = createUserService(database, now);
  const createSession = async (user_id: string) => (await sessions.create(user_id, 'Fault program')).access_token;
  return {
    database,
    async signIn(name) {
      const person = { issuer: 'faults', subject: randomUUID(), email: '', name, display_name: name };
      const user = await users.findOrCreate(person);
      return { user_id: user.id, token: await createSession(user.id) };
    },
    createSession,
    createAccount: (account) => createAccount({ database, secrets, now }, account),
    close: () => database.destroy(),
  };
}
