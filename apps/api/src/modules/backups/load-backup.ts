import { createHash } from 'node:crypto';
import type pg from 'pg';
import { copyIn, copyOut } from '#api/database/copy-streams.ts';
import { readMigration } from '#api/database/migrations.ts';
import type { TableSum } from './header.ts';
import type { CheckedBackup } from './read-backup.ts';
import { BackupRefused } from './refusal.ts';
import { listSavedTables, quoteOwnTables, quoteTable } from './schema.ts';

/** What slows a load down, or would change the rows: taken off before it and put back after it. */
interface Attachments {
  /** Statements that put it back. */
  restore: string[];
}

/**
 * Makes the backup's tables in the current schema, which has none of Sendlap's, loads all rows, and compares counts and
 * hashes with what the database returns then. Leaves other programs' tables alone. Runs in the caller's transaction. Throws
 * BackupRefused for a difference.
 */
export async function loadBackup(client: pg.Client, { header, readTables }: CheckedBackup): Promise<TableSum[]> {
  for (const name of header.migrations) await client.query(await readMigration(name));
  const tables = new Map((await listSavedTables(client)).map((table) => [table.name, table]));
  const own = await quoteOwnTables(client);
  const { restore } = await detach(client, own);
  // The migrations insert some rows; the backup has its own of them.
  await client.query(`truncate ${[...tables.values()].map(({ name }) => quoteTable({ name })).join(', ')}`);
  let sums: TableSum[] = [];
  for await (const part of readTables()) {
    if ('sums' in part) sums = part.sums;
    else {
      const { name, columns } = part.table;
      if (!tables.has(name)) throw new BackupRefused(`The backup has a table that is not Sendlap's: ${name}.`);
      await copyIn(client, `copy ${quoteTable({ name, columns })} from stdin`, part.rows);
    }
  }
  for (const statement of restore) await client.query(statement);
  await compare(client, [...tables.keys()], sums);
  await moveSequences(client, own);
  return sums;
}

/** Switches the tables' triggers off and drops their foreign keys and indexes other than those of constraints. */
async function detach(client: pg.Client, tables: string[]): Promise<Attachments> {
  const { rows: foreign_keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conrelid = any($1::text[]::regclass[]) order by conname`,
    [tables],
  );
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = any($1::text[]::regclass[])
      and not exists (select from pg_constraint where conindid = i.indexrelid) order by c.relname`,
    [tables],
  );
  const { rows: triggered } = await client.query<{ table: string }>(
    `select distinct tgrelid::regclass::text as table from pg_trigger
    where not tgisinternal and tgrelid = any($1::text[]::regclass[])`,
    [tables],
  );
  for (const { table } of triggered) await client.query(`alter table ${table} disable trigger user`);
  for (const { table, name } of foreign_keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  return {
    restore: [
      ...indexes.map(({ definition }) => definition),
      ...foreign_keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
      ...triggered.map(({ table }) => `alter table ${table} enable trigger user`),
    ],
  };
}

/** Reads every table back. */
async function compare(client: pg.Client, table_names: string[], sums: TableSum[]): Promise<void> {
  const missing = table_names.find((name) => !sums.some((sum) => sum.name === name));
  if (missing !== undefined) throw new BackupRefused(`The backup lacks the table ${missing}.`);
  for (const { name, columns, rows, sha256 } of sums) {
    const hash = createHash('sha256');
    const copied = copyOut(client, `copy ${quoteTable({ name, columns })} to stdout`);
    for await (const chunk of copied as AsyncIterable<Buffer>) hash.update(chunk);
    if (copied.row_count !== rows)
      throw new BackupRefused(`The table ${name} has ${copied.row_count} rows after the load instead of ${rows}.`);
    if (hash.digest('hex') !== sha256)
      throw new BackupRefused(`The table ${name} has other rows after the load than in the backup.`);
  }
}

/** The next number of each column that numbers its rows follows the highest one. */
async function moveSequences(client: pg.Client, tables: string[]): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select c.oid::regclass::text as table, quote_ident(a.attname) as column,
      pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.oid = any($1::text[]::regclass[]) and a.attnum > 0
      and not a.attisdropped and pg_get_serial_sequence(c.oid::regclass::text, a.attname) is not null`,
    [tables],
  );
  for (const { table, column, sequence } of rows)
    await client.query(`select setval($1, (select coalesce(max(${column}), 0) + 1 from ${table}), false)`, [sequence]);
}
