import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';

export interface ChangedRow {
  table_name: string;
  /** The row as text, before and after the change. */
  text: string;
}

/** Names the tables in which rows changed; what a transaction rolled back is no change. */
export interface ChangeLog {
  /** Returns the tables that changed since the last call, sorted. */
  take(): Promise<string[]>;
  /** Returns the rows that changed since the last call. */
  takeRows(): Promise<ChangedRow[]>;
}

/** Tables that any request may write: counts of limits, and proofs that were used. */
export const BESIDE_REQUESTS = ['request_counts', 'attempt_counts', 'used_proofs'];

/** Columns that any request may write: an update of these alone counts as no change. */
const LAST_USE_COLUMNS: Record<string, readonly string[]> = {
  kiosks: ['last_used_at'],
  devices: ['last_used_at'],
};

/** Adds triggers to every table, except `ignored` ones. An update that leaves a row as it is counts as no change. */
export async function openChangeLog(database: Database, ignored: readonly string[]): Promise<ChangeLog> {
  await sql`
    create schema change_log;
    create table change_log.changes (table_name text not null, text text not null);
    create function change_log.note() returns trigger language plpgsql as $$
    begin
      insert into change_log.changes values (tg_table_name, concat(old::text, ' ', new::text));
      return null;
    end $$;
    do $$
    declare name text;
    declare last_use text[];
    begin
      for name in select table_name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE'
      loop
        execute format('create trigger change_log_rows after insert or delete on public.%I
          for each row execute function change_log.note()', name);
        last_use := array(select jsonb_array_elements_text(${sql.lit(JSON.stringify(LAST_USE_COLUMNS))}::jsonb -> name));
        execute format('create trigger change_log_updates after update on public.%I for each row
          when ((to_jsonb(old) - %L::text[]) is distinct from (to_jsonb(new) - %2$L::text[]))
          execute function change_log.note()', name, last_use);
      end loop;
    end $$`.execute(database);
  const takeRows = async (): Promise<ChangedRow[]> => {
    const { rows } = await sql<ChangedRow>`delete from change_log.changes returning table_name, text`.execute(database);
    return rows.filter(({ table_name }) => !ignored.includes(table_name));
  };
  return {
    takeRows,
    take: async () => [...new Set((await takeRows()).map(({ table_name }) => table_name))].sort(),
  };
}
