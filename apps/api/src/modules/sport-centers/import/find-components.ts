import type { Sport } from '@sendlap/domain/scoring.ts';
import { sql } from 'kysely';
import type { Trx } from '#api/platform/database.ts';
import { loadCandidates } from './candidate-table.ts';
import { Components } from './components.ts';
import { readIdRanges } from './id-ranges.ts';
import { isInReach } from './same-place.ts';
import { Squares, STORED_SQUARE } from './squares.ts';
import { type Point, STRIPS, SweepLine, stripOf } from './sweep-line.ts';

const RANGE_NODES = 5_000;
const PAGE_POINTS = 2_000;
const INSERT_ROWS = 20_000;

/**
 * Finds which candidates (numbers below `count`) and stored centers (`count` + their ordinal) have to be looked at
 * together: those with one reference, those that were merged before, and those that could be one place. What is not
 * linked here cannot have to do with each other in `planImport`. Takes about 30 bytes a candidate.
 */
export async function findComponents(trx: Trx, count: number, onProgress: (done: number) => void): Promise<Components> {
  const firsts = new Int32Array(count);
  const ordinals = new Int32Array(count).fill(-1);
  const latitudes = new Float64Array(count).fill(Number.NaN);
  const squares = new Squares();
  for (let from = 0; from < count; from += RANGE_NODES) {
    for (const row of await linkRange(trx, from, from + RANGE_NODES)) {
      firsts[row.node] = row.first;
      if (row.ordinal !== null) ordinals[row.node] = row.ordinal;
      else if (row.first === row.node) {
        latitudes[row.node] = row.latitude;
        squares.add(row.latitude, row.longitude);
      }
    }
    onProgress(Math.min(count, from + RANGE_NODES));
  }
  const stored = await addStoredIn(trx, squares);
  const components = new Components(count + stored.length);
  for (let node = 0; node < count; node += 1) {
    components.link(node, firsts[node] ?? node);
    const ordinal = ordinals[node] ?? -1;
    if (ordinal !== -1) components.link(node, count + ordinal);
  }
  if (!squares.isEmpty) await linkSamePlaces(trx, components, latitudes, stored);
  return components;
}

type Link = { node: number; latitude: number; longitude: number; first: number; ordinal: number | null };

/** Looks up a range of candidates by reference, and notes the stored centers that they are, or were merged into. */
async function linkRange(trx: Trx, from: number, end: number): Promise<Link[]> {
  const { rows } = await sql<Link & { is_own: boolean; known_latitude: number | null; known_longitude: number | null }>`
    with link as materialized (
      select c.node, c.latitude, (c.facts::json->'center'->>'longitude')::float8 as longitude, own.id is not null as is_own,
        coalesce(own.id, merge.sport_center_id) as id,
        (select min(same.node) from import_candidates same
          where same.source = c.source and same.source_ref = c.source_ref) as first
      from import_candidates c
      left join sport_centers own on own.source = c.source and own.source_ref = c.source_ref
      left join sport_center_merges merge on merge.source = c.source and merge.source_ref = c.source_ref
      where c.node >= ${from} and c.node < ${end}
    ), known as materialized (
      select stored.id, stored.ordinal from import_stored stored where stored.id in (select id from link)
    ), added as (
      insert into import_stored (id, latitude)
      select id, latitude from sport_centers
      where id in (select id from link) and id not in (select id from known)
      returning id, ordinal
    )
    select link.node, link.latitude, link.longitude, link.first, coalesce(added.ordinal, known.ordinal) as ordinal,
      link.is_own, center.latitude as known_latitude, center.longitude as known_longitude
    from link left join added on added.id = link.id left join known on known.id = link.id
    left join sport_centers center on center.id = link.id and not link.is_own`.execute(trx);
  return rows.map(({ is_own, known_latitude: latitude, known_longitude: longitude, ...row }) => {
    const isThere = is_own || (latitude !== null && longitude !== null && isInReach({ latitude, longitude }, row));
    return isThere ? row : { ...row, ordinal: null };
  });
}

/** Adds the stored centers of some squares. Returns the latitudes of all that are concerned, by ordinal. */
async function addStoredIn(trx: Trx, squares: Squares): Promise<Float64Array> {
  if (!squares.isEmpty) {
    await squares.save(trx);
    for (const { first, last } of await readIdRanges(trx)) {
      await sql`
        insert into import_stored (id, latitude)
        select id, latitude from sport_centers
        where id between ${first}::uuid and ${last}::uuid
          and ${STORED_SQUARE} in (select square from import_squares)
        on conflict (id) do nothing`.execute(trx);
    }
  }
  return loadLatitudes(trx);
}

/** On a conflict an ordinal is used up: those stay not a number. */
async function loadLatitudes(trx: Trx): Promise<Float64Array> {
  await sql`create unique index on import_stored (ordinal)`.execute(trx);
  const { rows: found } = await sql<{ last: number | null }>`select max(ordinal) as last from import_stored`.execute(
    trx,
  );
  const last = found[0]?.last ?? -1;
  const latitudes = new Float64Array(last + 1).fill(Number.NaN);
  for (let from = 0; from <= last; from += INSERT_ROWS) {
    const { rows } = await sql<{ ordinal: number; latitude: number }>`
      select ordinal, latitude from import_stored
      where ordinal >= ${from} and ordinal < ${from + INSERT_ROWS}`.execute(trx);
    for (const { ordinal, latitude } of rows) latitudes[ordinal] = latitude;
  }
  return latitudes;
}

/** Links what could be one place: a walk from south to north that keeps a few hundred metres in memory. */
async function linkSamePlaces(trx: Trx, components: Components, fresh: Float64Array, stored: Float64Array) {
  const count = fresh.length;
  const latitudeOf = (item: number): number => (item < count ? fresh[item] : stored[item - count]) ?? Number.NaN;
  const items = sortByStrip(count + stored.length, latitudeOf);
  const line = new SweepLine(components);
  for (let at = 0; at < items.length; at += PAGE_POINTS) {
    const page = [...items.subarray(at, at + PAGE_POINTS)];
    const points = new Map<number, Point>();
    for (const point of await loadFresh(
      trx,
      page.filter((item) => item < count),
    ))
      points.set(point.item, point);
    for (const point of await loadStored(
      trx,
      page.filter((item) => item >= count),
      count,
    ))
      points.set(point.item, point);
    for (const item of page) {
      const point = points.get(item);
      if (point !== undefined) line.add(point);
    }
  }
}

/**
 * The numbers of all points that have a latitude, strip by strip: a counting sort, which takes no memory but for its
 * result.
 */
function sortByStrip(length: number, latitudeOf: (item: number) => number): Int32Array {
  const starts = new Int32Array(STRIPS + 1);
  for (let item = 0; item < length; item += 1) {
    const latitude = latitudeOf(item);
    if (!Number.isNaN(latitude)) starts[stripOf(latitude) + 1] = (starts[stripOf(latitude) + 1] ?? 0) + 1;
  }
  for (let strip = 0; strip < STRIPS; strip += 1) starts[strip + 1] = (starts[strip + 1] ?? 0) + (starts[strip] ?? 0);
  const items = new Int32Array(starts[STRIPS] ?? 0);
  for (let item = 0; item < length; item += 1) {
    const latitude = latitudeOf(item);
    if (Number.isNaN(latitude)) continue;
    const at = starts[stripOf(latitude)] ?? 0;
    items[at] = item;
    starts[stripOf(latitude)] = at + 1;
  }
  return items;
}

async function loadFresh(trx: Trx, nodes: number[]): Promise<Point[]> {
  if (nodes.length === 0) return [];
  return (await loadCandidates(trx, nodes)).map(({ node, center }) => ({ ...center, item: node, is_fresh: true }));
}

async function loadStored(trx: Trx, items: number[], count: number): Promise<Point[]> {
  if (items.length === 0) return [];
  type Row = Omit<Point, 'item' | 'is_fresh' | 'sports'> & { ordinal: number; sports: Sport[] };
  const { rows } = await sql<Row>`
    select stored.ordinal, center.source, center.name, center.other_names, center.latitude, center.longitude,
      array(select type from sport_facilities where sport_center_id = center.id order by type) as sports
    from import_stored stored join sport_centers center on center.id = stored.id
    where stored.ordinal = any(${items.map((item) => item - count)}::integer[])`.execute(trx);
  return rows.map(({ ordinal, ...row }) => ({ ...row, item: count + ordinal, is_fresh: false }));
}
