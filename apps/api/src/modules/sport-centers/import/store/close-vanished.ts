import type { BoundingBox } from '@sendlap/domain/geo.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';
import { lockCenters } from '#api/modules/sport-centers/edits/edits.ts';
import { refOf } from '../read/open-records.ts';
import { ImportError } from '../read/types.ts';
import { deleteMerges } from './stored-centers.ts';

const MAX_CLOSED_SHARE = 1 / 3;

/** The scope a file claims to cover completely: its own sources, or one source within a box. */
export type CompleteScope = { sources?: string[]; box?: BoundingBox };

/** Contents of a file. References are in the form of `refOf`. */
export type FileContents = {
  sources: ReadonlySet<string>;
  refs: ReadonlySet<string>;
  /** References of unreadable records. */
  unreadable: ReadonlySet<string>;
  /** Ids of the centers that a record was merged into. */
  merged_into: ReadonlySet<string>;
};

type CloseOptions = {
  dry_run: boolean;
  may_close_many: boolean;
  keeps_many_open?: boolean | undefined;
  keeps_staffed_open: boolean;
};

export type ClosedCenter = { id: string; ref: string; name: string };

/**
 * Closes the centers of a complete file's sources that the file lacks, unless another source's record was merged into
 * them or their record is present but unreadable. Throws `too_many_closed` for more than a third of a source's open
 * centers (is the file truncated?), unless `may_close_many`; with `keeps_many_open` these stay open and count as missing;
 * with `keeps_staffed_open` so do those with a manager, or that ever had a referee or a kiosk.
 */
export async function closeVanished(
  trx: Trx,
  scope: CompleteScope,
  found: FileContents,
  options: CloseOptions,
): Promise<{ closed_centers: ClosedCenter[]; missing: number; note: string | null }> {
  const sources = scope.sources ?? [...found.sources];
  const open = await listOpenCenters(trx, sources, scope.box);
  const all_vanished = open.filter((center) => !center.is_known_elsewhere && !isFound(center, found));
  const vanished = all_vanished.filter(({ is_staffed }) => !(is_staffed && options.keeps_staffed_open));
  const warning = warnTooMany(open, all_vanished);
  const closed_centers = vanished.map(({ id, ref, name }) => ({ id, ref, name }));
  if (options.dry_run)
    return { closed_centers, missing: 0, note: warning === '' ? null : `${warning}: closing them needs --yes` };
  if (warning !== '' && !options.may_close_many && options.keeps_many_open)
    return { closed_centers: [], missing: all_vanished.length, note: `${warning}: they stay open` };
  if (warning !== '' && !options.may_close_many) {
    throw new ImportError('too_many_closed', `${warning}: is the file whole? --yes closes them`);
  }
  await deleteVanishedMerges(trx, sources, scope.box, found);
  await setClosed(trx, vanished, sql`now()`);
  return { closed_centers, missing: all_vanished.length - vanished.length, note: null };
}

/** Reopens closed centers that the file has, under their own reference or through a merged record. Returns how many. */
export async function reopenFound(trx: Trx, found: FileContents, dryRun: boolean): Promise<number> {
  const { rows } = await sql<{ id: string; ref: string }>`
    select id, source || ':' || source_ref as ref from sport_centers where closed_at is not null`.execute(trx);
  const ids = rows.filter(({ id, ref }) => found.refs.has(ref) || found.merged_into.has(id));
  if (!dryRun) await setClosed(trx, ids, sql`null`);
  return ids.length;
}

/** `merged`: references merged into the center; `is_known_elsewhere`: one of them is from another source. */
type OpenCenter = ClosedCenter & {
  source: string;
  merged: string[];
  is_known_elsewhere: boolean;
  is_staffed: boolean;
};

async function listOpenCenters(trx: Trx, sources: string[], box: BoundingBox | undefined): Promise<OpenCenter[]> {
  const { rows } = await sql<OpenCenter>`
    select id, source, source || ':' || source_ref as ref, name,
      array(select m.source || ':' || m.source_ref from sport_center_merges m where m.sport_center_id = center.id) as merged,
      exists (
        select from sport_center_merges m where m.sport_center_id = center.id and m.source <> all(${sources}::text[])
      ) as is_known_elsewhere,
      exists (select from managers staff where staff.sport_center_id = center.id) or
      exists (select from referees staff where staff.sport_center_id = center.id) or
      exists (select from kiosks staff where staff.sport_center_id = center.id) as is_staffed
    from sport_centers center
    where closed_at is null and source = any(${sources}::text[]) and ${isInside(box)} order by id`.execute(trx);
  return rows;
}

function isFound({ id, ref, merged }: OpenCenter, { refs, unreadable, merged_into }: FileContents): boolean {
  return refs.has(ref) || merged_into.has(id) || [ref, ...merged].some((known) => unreadable.has(known));
}

function warnTooMany(openCenters: OpenCenter[], vanishedCenters: OpenCenter[]): string {
  const all = Map.groupBy(openCenters, ({ source }) => source);
  return [...Map.groupBy(vanishedCenters, ({ source }) => source)]
    .map(([source, gone]) => ({ source, vanished: gone.length, open: all.get(source)?.length ?? 0 }))
    .filter(({ vanished, open }) => vanished > open * MAX_CLOSED_SHARE)
    .map(({ source, vanished, open }) => `${vanished} of ${open} open centers of ${source} are not in it`)
    .join('; ');
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

/** A vanished record is no longer evidence for a center of another source. */
async function deleteVanishedMerges(trx: Trx, sources: string[], box: BoundingBox | undefined, found: FileContents) {
  const { rows } = await sql<{ source: string; source_ref: string }>`
    select merge.source, merge.source_ref
    from sport_center_merges merge join sport_centers center on center.id = merge.sport_center_id
    where merge.source = any(${sources}::text[]) and ${isInside(box)}`.execute(trx);
  await deleteMerges(
    trx,
    rows.filter((merge) => !found.refs.has(refOf(merge)) && !found.unreadable.has(refOf(merge))),
  );
}

async function setClosed(trx: Trx, centers: readonly { id: string }[], closed_at: RawBuilder<unknown>): Promise<void> {
  const ids = centers.map(({ id }) => id);
  // An UPDATE without an effect would notify every server of a change.
  if (ids.length === 0) return;
  await lockCenters(trx, ids);
  await sql`
    update sport_centers set closed_at = ${closed_at}, updated_at = now() where id = any(${ids}::uuid[])`.execute(trx);
}
