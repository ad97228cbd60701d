import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { createUserService } from '#api/modules/users/service.ts';
import { type Database, openDatabase } from '#api/platform/database.ts';
import { startEmbeddedPostgres } from '#api/platform/embedded-postgres.ts';
import { createSecrets, loadOrCreateSecret } from '#api/platform/secrets.ts';
import { createSessions } from '#api/platform/sessions.ts';

export interface Operator {
  database: Database;
  /** A new user with a session of the running server. */
  signIn(name: string): Promise<{ user_id: string; token: string }>;
  close(): Promise<void>;
}

/** Works beside a running server on its own data folder, as the operator's line does: for programs that load it. */
export async function openOperator(data_dir: string): Promise<Operator> {
  const logger = pino({ level: 'silent' });
  const postgres = await startEmbeddedPostgres({ data_dir, logger, role: 'operator' });
  const database = openDatabase(postgres.url);
  const secrets = createSecrets(await loadOrCreateSecret(data_dir));
  const sessions = createSessions({ database, secrets });
  const users = createUserService(database);
  return {
    database,
    async signIn(name) {
      const person = { issuer: 'faults', subject: randomUUID(), email: '', name, display_name: name };
      const user = await users.findOrCreate(person);
      const { access_token: token } = await sessions.create(user.id, 'Fault program');
      return { user_id: user.id, token };
    },
    async close() {
      await database.destroy();
      await postgres.stop();
    },
  };
}
