import { sql } from 'kysely';
import type { Trx } from '#api/platform/database.ts';
import type { Candidate } from './merge.ts';

const BATCH_ROWS = 1000;
/** As `refOf` writes it, behind the number of a record that has none. */
const NO_REF = '#';

/**
 * Tables of the running transaction, gone with it: what the file says, in the order of the file (`node` counts what was
 * accepted), the references that it has but does not describe legibly, and the stored centers that this concerns, with a
 * number of their own.
 */
export async function createTables(trx: Trx): Promise<void> {
  await sql`
    create temp table import_candidates (
      node integer primary key,
      source text not null,
      source_ref text not null,
      latitude double precision not null,
      facts text not null
    ) on commit drop`.execute(trx);
  await sql`create index import_candidates_by_ref on import_candidates (source, source_ref)`.execute(trx);
  await sql`create temp table import_unread (ref text primary key) on commit drop`.execute(trx);
  await sql`
    create temp table import_stored (
      ordinal integer generated always as identity (start with 0 minvalue 0),
      id uuid primary key,
      latitude double precision not null
    ) on commit drop`.execute(trx);
  await sql`
    create temp table import_merges (
      node integer primary key,
      id uuid not null,
      ref text not null,
      name text not null,
      into_ref text not null,
      into_name text not null
    ) on commit drop`.execute(trx);
}

/** Collects candidates and inserts them by the thousand. */
export class CandidateTable {
  count = 0;
  private readonly trx: Trx;
  private waiting: { node: number; candidate: Candidate }[] = [];
  private unread: string[] = [];

  constructor(trx: Trx) {
    this.trx = trx;
  }

  async add(candidate: Candidate): Promise<void> {
    this.waiting.push({ node: this.count, candidate });
    this.count += 1;
    if (this.waiting.length >= BATCH_ROWS) await this.flushCandidates();
  }

  /** Notes a record that is there, though nobody can say what it is: `source:ref`, or `#` and its number. */
  async addUnread(ref: string): Promise<void> {
    if (ref.startsWith(NO_REF)) return;
    this.unread.push(ref);
    if (this.unread.length >= BATCH_ROWS) await this.flushUnread();
  }

  /** Inserts what is left. */
  async flush(): Promise<void> {
    await this.flushUnread();
    await this.flushCandidates();
  }

  private async flushUnread(): Promise<void> {
    const refs = this.unread;
    this.unread = [];
    if (refs.length === 0) return;
    await sql`insert into import_unread select * from unnest(${refs}::text[]) on conflict do nothing`.execute(this.trx);
  }

  private async flushCandidates(): Promise<void> {
    const rows = this.waiting;
    this.waiting = [];
    if (rows.length === 0) return;
    const centers = rows.map(({ candidate }) => candidate.center);
    await sql`
      insert into import_candidates (node, source, source_ref, latitude, facts)
      select * from unnest(
        ${rows.map(({ node }) => node)}::integer[], ${centers.map(({ source }) => source)}::text[],
        ${centers.map(({ source_ref }) => source_ref)}::text[], ${centers.map(({ latitude }) => latitude)}::float8[],
        ${rows.map(({ candidate }) => JSON.stringify(candidate))}::text[]
      )`.execute(this.trx);
  }
}

/** The candidates of some nodes, in the order of the file. */
export async function loadCandidates(trx: Trx, nodes: number[]): Promise<(Candidate & { node: number })[]> {
  const { rows } = await sql<{ node: number; facts: string }>`
    select node, facts from import_candidates where node = any(${nodes}::integer[]) order by node`.execute(trx);
  return rows.map(({ node, facts }) => ({ ...(JSON.parse(facts) as Candidate), node }));
}
