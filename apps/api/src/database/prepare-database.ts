import { sql } from 'kysely';
import { isDiskFull, StartError, toOneLine } from '../platform/start-error.ts';
import { type Database, databaseErrorCode, isDatabaseUnavailable, openDatabase } from './database.ts';
import { assertMayMigrate, assertMayWrite, assertServerFits } from './database-requirements.ts';
import { DELETED_USER_ID } from './deleted-user.ts';
import { isFromBeforeFirstRelease, migrate, readMigrationNames } from './migrations.ts';
import { assertNotificationsArrive, POOLER_ADVICE } from './notification-check.ts';
import { createSecrets } from './secrets.ts';
import { canDecryptSigningKeys } from './signing-keys.ts';
import type { Storage } from './storage.ts';

export interface DatabaseCheck {
  /** PostgreSQL's version, such as '18.1'. */
  server_version: string;
  /** How long a notification took from one connection to another. */
  notification_ms: number;
  /** The migrations that the next start runs, oldest first. */
  pending_migrations: string[];
  has_users: boolean;
}

/**
 * Checks that this program and its secret fit the database, then brings the schema up to date. Returns the names of the
 * migrations that ran. Throws a StartError if a step fails; nothing is written before all checks pass.
 * `beforeMigration` runs before the schema of a database with users changes, with the name of the first migration.
 */
export async function prepareDatabase(
  storage: Storage,
  beforeMigration: (migration: string) => Promise<void> = async () => {},
): Promise<string[]> {
  const { has_users, pending_migrations } = await checkDatabase(storage);
  const [first] = pending_migrations;
  try {
    if (!has_users || first === undefined) return await migrate(storage.database_url);
    return await migrateAlone(storage, beforeMigration);
  } catch (error) {
    throw explainDatabaseError(error, storage.location);
  }
}

/** Held by the node that prepares and runs migrations; the others wait for it. */
const MIGRATION_LOCK = sql`hashtext('migration')`;

/**
 * One node after the other: otherwise the second one could back up while, or after, the first one migrates, and put that
 * backup in place of the one from before.
 */
async function migrateAlone(
  { database_url, location }: Storage,
  beforeMigration: (migration: string) => Promise<void>,
): Promise<string[]> {
  const database = openDatabase(database_url, { is_unlimited: true });
  try {
    return await database.connection().execute(async (connection) => {
      await sql`select pg_advisory_lock(${MIGRATION_LOCK})`.execute(connection);
      const [first] = await findPendingMigrations(connection, location);
      if (first === undefined) return [];
      await beforeMigration(first);
      return await migrate(database_url);
    });
  } finally {
    // With its connection, the lock ends.
    await database.destroy();
  }
}

/** Throws a StartError unless the database takes a connection. */
export async function checkConnection({ database_url, location }: Omit<Storage, 'secret'>): Promise<void> {
  const database = openDatabase(database_url);
  try {
    await assertAnswers(database, location);
  } finally {
    await database.destroy();
  }
}

async function assertAnswers(database: Database, location: string): Promise<void> {
  await sql`select 1`.execute(database).catch((error: unknown) => {
    throw new StartError(`${location}: ${explainConnectError(error)}`);
  });
}

/** Checks all that the app needs of the database, and writes nothing. Throws a StartError of the first problem. */
export async function checkDatabase({
  database_url,
  secret,
  location,
}: Omit<Storage, 'close'>): Promise<DatabaseCheck> {
  const database = openDatabase(database_url);
  try {
    await assertAnswers(database, location);
    const server_version = await assertServerFits(database, location);
    if (await hasTable(database, 'kysely_migration')) await assertMayWrite(database, location);
    const pending_migrations = await findPendingMigrations(database, location);
    if (pending_migrations.length > 0) await assertMayMigrate(database, location);
    await assertSecretMatches(database, secret, location);
    const notification_ms = await assertNotificationsArrive(database_url, location);
    return { server_version, notification_ms, pending_migrations, has_users: await hasUsers(database) };
  } catch (error) {
    throw explainDatabaseError(error, location);
  } finally {
    await database.destroy();
  }
}

function explainConnectError(error: unknown): string {
  const code = databaseErrorCode(error) ?? '';
  const message = error instanceof Error ? toOneLine(error.message) : String(error);
  if (/unsupported startup parameter/.test(message))
    return `a connection pooler such as PgBouncer refuses the connection (${message}): ${POOLER_ADVICE}`;
  // `pg` has no code for a server that asks for a password when the address has none.
  if (/^28/.test(code) || /password must be a string/.test(message)) {
    return 'the database refuses this user or password: check both in DATABASE_URL, and that the server lets the user in';
  }
  if (code === '3D000') return `${message}: create it, or name another one in DATABASE_URL`;
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code))
    return 'the name of its server is not known: check the host in DATABASE_URL';
  if (isDatabaseUnavailable(error) || /^E(HOST|NET)UNREACH$/.test(code)) {
    return 'the database cannot be reached: check host and port in DATABASE_URL, and that the server runs';
  }
  return `the database does not take the connection: ${message}`;
}

/** Throws a StartError if the database has a migration that this program does not know. */
async function findPendingMigrations(database: Database, location: string): Promise<string[]> {
  const known_names = await readMigrationNames();
  if (!(await hasTable(database, 'kysely_migration'))) return known_names;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(database);
  const newer = rows.find(({ name }) => !known_names.includes(name));
  const done = rows.map(({ name }) => name);
  if (!newer) return known_names.filter((name) => !done.includes(name));
  if (isFromBeforeFirstRelease(done)) {
    throw new StartError(
      `${location}: a Sendlap from before 0.1.0 made this database, and it cannot be brought up to date: start with an empty one`,
    );
  }
  throw new StartError(
    `${location}: a newer Sendlap has changed this database (${newer.name}): start that version, or restore a backup from before`,
  );
}

/** Throws a StartError unless the secret opens the keys in the database. */
export async function assertSecretMatches(database: Database, secret: string, location: string): Promise<void> {
  if (!(await hasTable(database, 'signing_keys'))) return;
  if (await canDecryptSigningKeys(database, createSecrets(secret))) return;
  throw new StartError(
    `SECRET: this is not the secret that the data was sealed with (${location}): use the one from before, or restore it from a backup`,
  );
}

async function hasUsers(database: Database): Promise<boolean> {
  if (!(await hasTable(database, 'users'))) return false;
  const user = database.selectFrom('users').select('id').where('id', '<>', DELETED_USER_ID).limit(1);
  return (await user.executeTakeFirst()) !== undefined;
}

async function hasTable(database: Database, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(database);
  return rows[0]?.found ?? false;
}

function explainDatabaseError(error: unknown, location: string): unknown {
  if (error instanceof StartError || !(error instanceof Error)) return error;
  if (isDiskFull(error)) return new StartError(`${location}: the disk of the database is full: free some space there`);
  if (isDatabaseUnavailable(error)) return new StartError(`${location}: the database cannot be reached`);
  if (!databaseErrorCode(error)) return error;
  // For example without the right to create extensions.
  return new StartError(`${location}: the schema cannot be brought up to date: ${toOneLine(error.message)}`);
}
