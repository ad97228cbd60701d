import { sql } from 'kysely';
import { isDiskFull, StartError, toOneLine } from '../platform/start-error.ts';
import { type Database, databaseErrorCode, isDatabaseUnavailable, openDatabase } from './database.ts';
import { migrate, readMigrationNames } from './migrations.ts';
import { createSecrets } from './secrets.ts';
import { canDecryptSigningKeys } from './signing-keys.ts';
import type { Storage } from './storage.ts';

/**
 * Checks that this program and its secret fit the database, then brings the schema up to date. Returns the names of the
 * migrations that ran. Throws a StartError if a step fails; nothing is written before all checks pass.
 */
export async function prepareDatabase({ database_url, secret, location }: Storage): Promise<string[]> {
  const database = openDatabase(database_url, { is_unlimited: true });
  try {
    await sql`select 1`.execute(database).catch((error: unknown) => {
      throw new StartError(`${location}: ${explainConnectError(error)}`);
    });
    await assertSchemaNotNewer(database, location);
    await assertSecretMatches(database, secret, location);
    return await migrate(database_url);
  } catch (error) {
    throw explainMigrateError(error, location);
  } finally {
    await database.destroy();
  }
}

function explainConnectError(error: unknown): string {
  const code = databaseErrorCode(error) ?? '';
  const message = error instanceof Error ? toOneLine(error.message) : String(error);
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

/** A migration of the schema before the first release. */
const FIRST_PRE_RELEASE_MIGRATION = '001-users';

async function assertSchemaNotNewer(database: Database, location: string): Promise<void> {
  if (!(await hasTable(database, 'kysely_migration'))) return;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(database);
  const migration_names = new Set(await readMigrationNames());
  const newer = rows.find(({ name }) => !migration_names.has(name));
  if (!newer) return;
  if (rows[0]?.name === FIRST_PRE_RELEASE_MIGRATION) {
    throw new StartError(
      `${location}: a Sendlap from before 0.1.0 made this database, and it cannot be brought up to date: start with an empty one`,
    );
  }
  throw new StartError(
    `${location}: a newer Sendlap has changed this database (${newer.name}): start that version, or restore a backup from before`,
  );
}

async function assertSecretMatches(database: Database, secret: string, location: string): Promise<void> {
  if (!(await hasTable(database, 'signing_keys'))) return;
  if (await canDecryptSigningKeys(database, createSecrets(secret))) return;
  throw new StartError(
    `SECRET: this is not the secret that the data was sealed with (${location}): use the one from before, or restore it from a backup`,
  );
}

async function hasTable(database: Database, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(database);
  return rows[0]?.found ?? false;
}

function explainMigrateError(error: unknown, location: string): unknown {
  if (error instanceof StartError || !(error instanceof Error)) return error;
  if (isDiskFull(error)) return new StartError(`${location}: the disk of the database is full: free some space there`);
  if (isDatabaseUnavailable(error)) return new StartError(`${location}: the database cannot be reached`);
  if (!databaseErrorCode(error)) return error;
  // For example without the right to create extensions.
  return new StartError(`${location}: the schema cannot be brought up to date: ${toOneLine(error.message)}`);
}
