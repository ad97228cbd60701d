import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { readMigration, readMigrationNames } from '#api/database/migrations.ts';
import { readAllTables } from '../database/all-tables.ts';

/**
 * Makes the schema up to the migration `last` in an empty database, with the rows of another database of the newest schema in
 * the tables and columns that are there already.
 */
export async function fillEarlierSchema(target: Database, last: string, source: Database): Promise<void> {
  const names = await readMigrationNames();
  const kept = names.slice(0, names.indexOf(last) + 1);
  const rows = await readAllTables(source);
  await target.transaction().execute(async (trx) => {
    await sql.raw('drop schema public cascade; create schema public').execute(trx);
    for (const name of kept) await sql.raw(await readMigration(name)).execute(trx);
    // No triggers and no foreign keys: the tables are filled in any order.
    await sql.raw(`set local session_replication_role = 'replica'`).execute(trx);
    for (const { name, columns } of await listTables(trx)) {
      const list = sql.join(columns.map((column) => sql.ref(column)));
      await sql`delete from ${sql.table(name)}`.execute(trx);
      await sql`
        insert into ${sql.table(name)} (${list}) overriding system value
        select ${list} from jsonb_populate_recordset(null::${sql.table(name)}, ${JSON.stringify(rows[name])}::jsonb)`.execute(
        trx,
      );
    }
    await sql`create table kysely_migration (name text primary key, timestamp text not null)`.execute(trx);
    for (const name of kept) await sql`insert into kysely_migration values (${name}, now()::text)`.execute(trx);
  });
}

/** The tables of the schema, with the columns that can be written. */
async function listTables(database: Database): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select c.relname as name, json_agg(a.attname order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname`.execute(database);
  return rows;
}
