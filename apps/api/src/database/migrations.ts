import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { type Database, openDatabase } from './database.ts';

/** Where the migrations are. A test that runs as a later version names a folder of its own. */
export const migrations = { folder: new URL('../migrations/', import.meta.url) };

/** The first migrations of schemas before 0.1.0, which no version reads. */
const BEFORE_FIRST_RELEASE = ['001-users', '001-baseline'];

/** Whether a schema is from before 0.1.0, by the names of its migrations, oldest first. */
export function isFromBeforeFirstRelease([first = '']: string[]): boolean {
  return BEFORE_FIRST_RELEASE.includes(first);
}

/** Returns the names of all migrations of this program, oldest first. */
export async function readMigrationNames(): Promise<string[]> {
  const files = (await readdir(migrations.folder)).filter((name) => name.endsWith('.sql')).sort();
  return files.map((name) => name.replace(/\.sql$/, ''));
}

/** Returns the SQL of a migration. */
export function readMigration(name: string): Promise<string> {
  return readFile(new URL(`${name}.sql`, migrations.folder), 'utf8');
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const entries = (await readMigrationNames()).map(async (name): Promise<[string, Migration]> => {
    const text = await readMigration(name);
    return [name, { up: async (database) => void (await sql.raw(text).execute(database)) }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * Brings the schema up to date. Each migration runs once, under the migrator's lock, so that several servers may start
 * together. Returns the names of those that ran now. Throws the first error; earlier migrations stay applied.
 */
export async function migrate(database_url: string): Promise<string[]> {
  const database = openDatabase(database_url, { is_unlimited: true });
  try {
    return await migrateDatabase(database);
  } finally {
    await database.destroy();
  }
}

async function migrateDatabase(database: Database): Promise<string[]> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: readMigrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).map((result) => result.migrationName);
}
