import type { BoundingBox } from '@sendlap/domain/geo.ts';
import { sql } from 'kysely';
import type { Trx } from '#api/platform/database.ts';
import { readIdRanges } from './id-ranges.ts';
import { ImportError } from './types.ts';

const MOST_CLOSED = 1 / 3;
const BATCH_ROWS = 1000;

/** What a file claims to hold all of: its own sources, or one source within a box. */
export type Completeness = { sources?: string[]; box?: BoundingBox };

export type Closing = { dry_run: boolean; may_close_many: boolean };
export type Closed = { closed: number; note: string | null };

/**
 * Marks as closed the centers of the sources of a complete file that the file no longer has: not under their own
 * reference, and not as what another of its records is. A center that a record of another source was merged into stays
 * open: that one still knows it. So does one whose record is there but cannot be read: a slip in a file closes nothing.
 * Fills `import_closed` with their ids.
 *
 * @throws ImportError `too_many_closed` where that is more than a third of the open ones of a source and nobody agreed to
 * it: a file that was cut short looks just like that
 */
export async function closeVanished(trx: Trx, whole: Completeness, options: Closing): Promise<Closed> {
  const sources = whole.sources ?? (await readSources(trx));
  await sql`create temp table import_closed (number integer generated always as identity, id uuid) on commit drop`.execute(
    trx,
  );
  const bySource = await findVanished(trx, sources, whole.box);
  const words = [...bySource]
    .filter(([, { open, vanished }]) => vanished > open * MOST_CLOSED)
    .map(([source, { open, vanished }]) => `${vanished} of ${open} open centers of ${source} are not in it`)
    .join('; ');
  if (words !== '' && !options.may_close_many && !options.dry_run) {
    throw new ImportError('too_many_closed', `${words}: is the file whole? --yes closes them`);
  }
  const vanished = [...bySource.values()].reduce((sum, counts) => sum + counts.vanished, 0);
  if (!options.dry_run) {
    await forgetMerges(trx, sources, whole.box);
    for (let from = 0; from <= vanished; from += BATCH_ROWS) await closeSome(trx, from, from + BATCH_ROWS);
  }
  return { closed: vanished, note: words !== '' ? `${words}: closing them needs --yes` : null };
}

/** Opens closed centers that the file has, under their own reference or as what a record of it is. Returns how many. */
export async function reopenFound(trx: Trx, dryRun: boolean): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select center.id from sport_centers center where center.closed_at is not null and (
      exists (select from import_candidates c where c.source = center.source and c.source_ref = center.source_ref)
      or exists (select from import_merges merge where merge.id = center.id)
    )`.execute(trx);
  const ids = rows.map(({ id }) => id);
  // A statement without an effect would tell every server that something changed.
  if (ids.length === 0 || dryRun) return ids.length;
  for (let at = 0; at < ids.length; at += BATCH_ROWS) {
    const some = ids.slice(at, at + BATCH_ROWS);
    await sql`update sport_centers set closed_at = null, updated_at = now() where id = any(${some}::uuid[])`.execute(
      trx,
    );
  }
  return ids.length;
}

async function readSources(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{ source: string }>`
    select distinct source from import_candidates order by source`.execute(trx);
  return rows.map(({ source }) => source);
}

type Counts = { open: number; vanished: number };

async function findVanished(trx: Trx, sources: string[], box: BoundingBox | undefined): Promise<Map<string, Counts>> {
  await sql`create index on import_merges (id)`.execute(trx);
  const bySource = new Map<string, Counts>();
  for (const { first, last } of await readIdRanges(trx)) {
    const { rows } = await sql<Counts & { source: string }>`
      with open as materialized (
        select center.id, center.source, not exists (
            select from import_candidates c where c.source = center.source and c.source_ref = center.source_ref
          ) and not exists (select from import_merges merge where merge.id = center.id)
          and not exists (select from import_unread where ref = center.source || ':' || center.source_ref)
          and not exists (
            select from sport_center_merges merge where merge.sport_center_id = center.id and (
              merge.source <> all(${sources}::text[])
              or exists (select from import_unread where ref = merge.source || ':' || merge.source_ref)
            )
          ) as vanished
        from sport_centers center
        where center.id between ${first}::uuid and ${last}::uuid and center.closed_at is null
          and center.source = any(${sources}::text[]) and ${isInside(box)}
      ), noted as (insert into import_closed (id) select id from open where vanished)
      select source, count(*)::integer as open, (count(*) filter (where vanished))::integer as vanished
      from open group by source`.execute(trx);
    for (const { source, open, vanished } of rows) {
      const before = bySource.get(source) ?? { open: 0, vanished: 0 };
      bySource.set(source, { open: before.open + open, vanished: before.vanished + vanished });
    }
  }
  await sql`create index on import_closed (number)`.execute(trx);
  return bySource;
}

function isInside(box: BoundingBox | undefined) {
  if (box === undefined) return sql`true`;
  const { west, south, east, north } = box;
  const between =
    west <= east
      ? sql`center.longitude between ${west} and ${east}`
      : sql`(center.longitude >= ${west} or center.longitude <= ${east})`;
  return sql`center.latitude between ${south} and ${north} and ${between}`;
}

/** A record that is gone no longer says that a center of another source is there. */
async function forgetMerges(trx: Trx, sources: string[], box: BoundingBox | undefined): Promise<void> {
  for (const { first, last } of await readIdRanges(trx)) {
    await sql`
      delete from sport_center_merges merge using sport_centers center
      where center.id = merge.sport_center_id and center.id between ${first}::uuid and ${last}::uuid
        and merge.source = any(${sources}::text[]) and ${isInside(box)}
        and not exists (
          select from import_candidates c where c.source = merge.source and c.source_ref = merge.source_ref
        ) and not exists (select from import_unread where ref = merge.source || ':' || merge.source_ref)`.execute(trx);
  }
}

async function closeSome(trx: Trx, from: number, end: number): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from import_closed where number >= ${from} and number < ${end}`.execute(trx);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  await sql`update sport_centers set closed_at = now(), updated_at = now() where id = any(${ids}::uuid[])`.execute(trx);
}
