import { sql } from 'kysely';
import { StartError } from '../platform/start-error.ts';
import type { Database } from './database.ts';
import { OLDEST_POSTGRES_MAJOR } from './embedded-postgres/own-binaries.ts';

/** Extensions that the first migration creates. */
export const EXTENSIONS = ['btree_gist', 'pg_trgm'];

/**
 * Returns PostgreSQL's version. Throws a StartError if it is too old, takes no writes, or cannot store every text.
 * Any role may read all that is checked here.
 */
export async function assertServerFits(database: Database, location: string): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select split_part(current_setting('server_version'), ' ', 1) as version`.execute(database);
  const version = rows[0]?.version ?? '';
  if (Number.parseInt(version, 10) < OLDEST_POSTGRES_MAJOR) {
    throw new StartError(
      `${location}: this is PostgreSQL ${version}, and Sendlap needs ${OLDEST_POSTGRES_MAJOR} or newer: name such a server in DATABASE_URL`,
    );
  }
  await assertTakesWrites(database, location);
  return version;
}

async function assertTakesWrites(database: Database, location: string): Promise<void> {
  const { rows } = await sql<{ is_standby: boolean; is_read_only: boolean; encoding: string }>`
    select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only,
      current_setting('server_encoding') as encoding`.execute(database);
  const { is_standby, is_read_only, encoding } = rows[0] ?? {};
  if (is_standby) {
    throw new StartError(
      `${location}: this server is a standby, which takes no writes: name the primary server in DATABASE_URL`,
    );
  }
  if (is_read_only) {
    throw new StartError(
      `${location}: the database takes no writes: set its default_transaction_read_only to off, or name another one in DATABASE_URL`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new StartError(
      `${location}: the database has the encoding ${encoding}, which cannot store every text: create one with the encoding UTF8`,
    );
  }
}

/** Throws a StartError unless the role may read and write every table of the app. */
export async function assertMayWrite(database: Database, location: string): Promise<void> {
  const { rows } = await sql<{ role: string; owner: string; table_name: string }>`
    select current_user::text as role, pg_get_userbyid(t.relowner)::text as owner, t.relname::text as table_name
    from pg_class m join pg_class t on t.relnamespace = m.relnamespace and t.relowner = m.relowner and t.relkind = 'r'
    where m.oid = to_regclass('kysely_migration') and not (has_table_privilege(t.oid, 'SELECT')
      and has_table_privilege(t.oid, 'INSERT') and has_table_privilege(t.oid, 'UPDATE')
      and has_table_privilege(t.oid, 'DELETE'))
    order by t.relname limit 1`.execute(database);
  const [refused] = rows;
  if (!refused) return;
  const { role, owner, table_name } = refused;
  throw new StartError(
    `${location}: permission denied: the role ${role} may not read and write the table ${table_name}: name the role ${owner} in DATABASE_URL, or grant it to ${role}`,
  );
}

/** Throws a StartError unless the role may create tables, and the extensions exist or can be created. */
export async function assertMayMigrate(database: Database, location: string): Promise<void> {
  const { rows } = await sql<{ role: string; database_name: string; may_create_tables: boolean }>`
    select current_user::text as role, current_database()::text as database_name,
      coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as may_create_tables`.execute(database);
  const { role, database_name, may_create_tables } = rows[0] ?? {};
  if (!may_create_tables) {
    throw new StartError(
      `${location}: permission denied: the role ${role} may not create tables: make it the owner of the database ${database_name}, or grant it CREATE on the schema`,
    );
  }
  const { rows: extensions } = await sql<{ name: string; is_available: boolean; may_create: boolean }>`
    select wanted.name, available.name is not null as is_available,
      has_database_privilege(current_database(), 'CREATE') as may_create
    from unnest(${EXTENSIONS}::text[]) wanted(name) left join pg_available_extensions available using (name)
    where available.installed_version is null`.execute(database);
  for (const { name, is_available, may_create } of extensions) {
    if (!is_available) {
      throw new StartError(
        `${location}: the extension ${name} is missing on the database server: install PostgreSQL's contrib modules there`,
      );
    }
    if (!may_create) {
      throw new StartError(
        `${location}: permission denied: the role ${role} may not create the extension ${name}: grant it CREATE on the database ${database_name}`,
      );
    }
  }
}
