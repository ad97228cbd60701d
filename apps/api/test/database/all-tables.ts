import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';

/** Returns every row of every table as JSON, by table. */
export async function readAllTables(database: Database): Promise<Record<string, Record<string, unknown>[]>> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(database);
  const all: Record<string, Record<string, unknown>[]> = {};
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(t) as row from ${sql.table(name)} as t`.execute(database);
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}

/** Returns the columns ('table.column') in which any row holds one of these texts, sorted. */
export function columnsHolding(all: Record<string, Record<string, unknown>[]>, texts: string[]): string[] {
  const found = new Set<string>();
  for (const [table, rows] of Object.entries(all)) {
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        const text = JSON.stringify(value).toLowerCase();
        if (texts.some((each) => text.includes(each.toLowerCase()))) found.add(`${table}.${column}`);
      }
    }
  }
  return [...found].sort();
}

/** Returns all rows that hold any of these texts, except for what a sign-in and the account lock itself change. */
export async function rowsHolding(database: Database, texts: string[]): Promise<Record<string, string[]>> {
  const all = await readAllTables(database);
  return Object.fromEntries(
    Object.entries(all)
      .filter(([table]) => !['sessions', 'refresh_tokens'].includes(table))
      .map(([table, rows]) => [
        table,
        rows
          .map(({ changed_at: _changed_at, ...row }) =>
            // Ending the sessions also revokes the device keys.
            JSON.stringify(table === 'devices' ? { ...row, revoked_at: null } : row),
          )
          .filter((row) => texts.some((text) => row.includes(text)))
          .sort(),
      ]),
  );
}
