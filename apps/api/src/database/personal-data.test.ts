import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { columnsHolding, readAllTables } from '#test/database/all-tables.ts';
import { makeCenter } from '#test/factories.ts';
import { type FilledPerson, fillPerson } from '#test/scenes/filled-person.ts';
import { readMigration, readMigrationNames } from './migrations.ts';
import { NON_PERSONAL_TABLES, PERSONAL_TABLES } from './personal-data.ts';

interface Column {
  table: string;
  column: string;
  type: string;
}

let api: TestApp;
let columns: Column[];
let person: FilledPerson;
beforeAll(async () => {
  let center = '';
  api = await buildTestApp({
    seed: async (database) => {
      center = await makeCenter(database);
    },
  });
  person = await fillPerson(api, center);
  const { rows } = await sql<Column>`
    select table_name as table, column_name as column, udt_name as type from information_schema.columns
    where table_schema = 'public' order by table_name, ordinal_position`.execute(api.database);
  columns = rows;
});
afterAll(() => api.close());

const listed = new Map(PERSONAL_TABLES.map((each) => [each.table as string, each]));

test('every table of the database is in exactly one of the two lists', () => {
  const tables = [...new Set(columns.map(({ table }) => table))].sort();
  expect([...listed.keys(), ...Object.keys(NON_PERSONAL_TABLES)].sort()).toEqual(tables);
});

test('every table that a migration has made is in the lists: a backup of an earlier schema takes no other', async () => {
  const migrations = await Promise.all((await readMigrationNames()).map(readMigration));
  const made = migrations.flatMap((text) => [...text.matchAll(/^create table (\w+)/gim)].map(([, name]) => name));
  expect(made).toContain('users');
  expect([...listed.keys(), ...Object.keys(NON_PERSONAL_TABLES)]).toEqual(expect.arrayContaining(made));
});

test('every column of the list is one of the database', () => {
  const known = new Set(columns.map(({ table, column }) => `${table}.${column}`));
  const named = PERSONAL_TABLES.flatMap(({ table, links, secret_columns = [] }) =>
    links
      .flatMap((link) => [link.column, ...Object.keys({ ...link.cleared_values, ...link.private_values })])
      .concat(secret_columns)
      .filter((column) => column !== undefined)
      .map((column) => `${table}.${column}`),
  );
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('every column of bytes is secret: hashes and sealed keys never leave', () => {
  const bytes = columns.filter(({ table, type }) => type === 'bytea' && listed.has(table));
  expect(bytes.length).toBeGreaterThan(0);
  for (const { table, column } of bytes)
    expect(listed.get(table)?.secret_columns, `${table}.${column}`).toContain(column);
});

test('every column that refers to a user is a link of the list', async () => {
  const { rows } = await sql<Omit<Column, 'type'>>`
    select conrelid::regclass::text as table, attname as column
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and confrelid in ('users'::regclass, 'sessions'::regclass, 'provider_accounts'::regclass)`.execute(
    api.database,
  );
  expect(rows.length).toBeGreaterThan(10);
  for (const { table, column } of rows) {
    expect(
      listed.get(table)?.links.map((link) => link.column),
      `${table}.${column}`,
    ).toContain(column);
  }
});

test('every link has an index, so that an erasure reads no table as a whole', async () => {
  const { rows } = await sql<{ name: string }>`
    select indrelid::regclass::text || '.' || attname as name
    from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where indpred is null or pg_get_expr(indpred, indrelid) = format('(%s IS NOT NULL)', attname)`.execute(
    api.database,
  );
  const indexed = new Set(rows.map(({ name }) => name));
  const links = PERSONAL_TABLES.flatMap(({ table, links: each }) => each.map(({ column }) => `${table}.${column}`));
  expect(links.filter((name) => !indexed.has(name))).toEqual([]);
});

describe('of a user who has a row in every table', () => {
  test('every table of the list has a row', async () => {
    const all = await readAllTables(api.database);
    expect([...listed.keys()].filter((table) => !all[table]?.length)).toEqual([]);
  });

  test('every column that holds a trace goes with its row, or is written over', async () => {
    const all = await readAllTables(api.database);
    const traces = columnsHolding(all, Object.values(person.canaries));
    expect(traces.length).toBeGreaterThan(30);
    const uncovered = traces.filter((name) => {
      const [table = '', column = ''] = name.split('.');
      const { links = [], removed_later_by } = listed.get(table) ?? {};
      if (removed_later_by !== undefined) return false;
      const replaced = links.flatMap((link) => [link.column, ...Object.keys(link.cleared_values ?? {})]);
      return !links.some((link) => link.erasure === 'delete') && !replaced.includes(column);
    });
    expect(uncovered).toEqual([]);
  });
});
