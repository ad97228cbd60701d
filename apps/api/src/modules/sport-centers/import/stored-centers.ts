import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import type { Database, Trx } from '#api/platform/database.ts';
import type { Tables } from '#api/platform/tables.ts';
import { describeForSearch } from '../describe.ts';
import type { Stored } from './merge.ts';
import { facilityId } from './source-ref.ts';
import type { Center } from './types.ts';

/** Chosen so that one statement stays far below the five seconds that the server gives it. */
const BATCH_ROWS = 500;
const IMPORT_LOCK = 7_305_431;
const LOCK_RETRY_MS = 250;

/** A stored center with the hash that tells whether a write would change anything. */
export type StoredCenter = Stored & { content_hash: string };

/** What an import compares with. `merges` maps `source ref` to the id of the center that took it in. */
export type StoredCenters = {
  byRef: Map<string, StoredCenter>;
  byId: Map<string, StoredCenter>;
  merges: Map<string, string>;
};

/** The key of a record in the maps above. */
export function keyOf(record: { source: string; source_ref: string }): string {
  return `${record.source} ${record.source_ref}`;
}

/** SHA-256 over all facts of a center; equal hashes mean that nothing would change. */
export function contentHash(center: Center): string {
  const facts = [
    center.source,
    center.source_ref,
    center.name,
    center.address,
    center.city,
    center.country,
    center.latitude,
    center.longitude,
    center.phone,
    center.url,
    center.is_private,
    center.time_zone,
    center.licence,
    center.attribution,
    center.other_names,
    center.place_names,
    center.sports,
  ];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/**
 * Two imports at once would each miss the other's centers; the second waits, by asking again, since a statement may
 * only last seconds and an import minutes. The lock ends with the transaction.
 */
export async function lockImports(trx: Trx): Promise<void> {
  while (true) {
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${IMPORT_LOCK}) as locked`.execute(
      trx,
    );
    if (rows[0]?.locked) return;
    await wait(LOCK_RETRY_MS);
  }
}

type Row = Selectable<Tables['sport_centers']>;
type Merge = { source: string; source_ref: string; sport_center_id: string };

export async function loadStoredCenters(db: Database | Trx): Promise<StoredCenters> {
  const rows = await db.selectFrom('sport_centers').selectAll().orderBy('id').execute();
  const facilities = await db
    .selectFrom('sport_facilities')
    .select(['sport_center_id', 'type'])
    .orderBy('type')
    .execute();
  return toStored(rows, facilities, await db.selectFrom('sport_center_merges').selectAll().execute());
}

/** The same for the stored centers of some ordinals, and what is remembered of the candidates of some nodes. */
export async function loadStoredFor(trx: Trx, nodes: number[], ordinals: number[]): Promise<StoredCenters> {
  const { rows: merges } = await sql<Merge>`
    select merge.* from import_candidates candidate
    join sport_center_merges merge on merge.source = candidate.source and merge.source_ref = candidate.source_ref
    where candidate.node = any(${nodes}::integer[])`.execute(trx);
  // Nothing near: most records of a first import.
  if (ordinals.length === 0) return toStored([], [], merges);
  const { rows } = await sql<Row>`
    select center.* from import_stored stored join sport_centers center on center.id = stored.id
    where stored.ordinal = any(${ordinals}::integer[]) order by center.id`.execute(trx);
  const { rows: facilities } = await sql<{ sport_center_id: string; type: Center['sports'][number] }>`
    select sport_center_id, type from sport_facilities
    where sport_center_id = any(${rows.map(({ id }) => id)}::uuid[]) order by type`.execute(trx);
  return toStored(rows, facilities, merges);
}

function toStored(
  rows: Row[],
  facilities: { sport_center_id: string; type: Center['sports'][number] }[],
  merges: Merge[],
): StoredCenters {
  const byId = new Map(rows.map((row) => [row.id, toStoredCenter(row)]));
  for (const { sport_center_id, type } of facilities) byId.get(sport_center_id)?.sports.push(type);
  return {
    byId,
    byRef: new Map([...byId.values()].map((center) => [keyOf(center), center])),
    merges: new Map(merges.map((merge) => [keyOf(merge), merge.sport_center_id])),
  };
}

/** The facts alone: what the server worked out of them, and when, is not compared. */
function toStoredCenter(row: Row): StoredCenter {
  return {
    id: row.id,
    content_hash: row.content_hash,
    source: row.source,
    source_ref: row.source_ref,
    name: row.name,
    address: row.address,
    city: row.city,
    country: row.country,
    latitude: row.latitude,
    longitude: row.longitude,
    phone: row.phone,
    url: row.url,
    is_private: row.is_private,
    time_zone: row.time_zone,
    licence: row.licence,
    attribution: row.attribution,
    other_names: row.other_names,
    place_names: row.place_names,
    sports: [],
  };
}

/** Inserts or updates centers and their facilities. Nothing is ever deleted: activities point at centers. */
export async function saveCenters(trx: Trx, centers: StoredCenter[]): Promise<void> {
  for (let at = 0; at < centers.length; at += BATCH_ROWS) {
    const batch = centers.slice(at, at + BATCH_ROWS);
    await saveRows(trx, batch);
    await saveFacilities(trx, batch);
  }
}

async function saveRows(trx: Trx, centers: StoredCenter[]): Promise<void> {
  const rows = centers.map((center) => ({ ...center, ...describeForSearch(center, center.place_names) }));
  await sql`
    insert into sport_centers (
      id, name, address, city, country, latitude, longitude, phone, url, is_private, time_zone, source, source_ref,
      licence, attribution, other_names, place_names, search_name, search_text, search_city, content_hash
    )
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as center (
      id uuid, name text, address text, city text, country text, latitude double precision, longitude double precision,
      phone text, url text, is_private boolean, time_zone text, source text, source_ref text, licence text,
      attribution text, other_names text[], place_names text[], search_name text, search_text text, search_city text,
      content_hash text
    )
    on conflict (id) do update set
      name = excluded.name, address = excluded.address, city = excluded.city, country = excluded.country,
      latitude = excluded.latitude, longitude = excluded.longitude, phone = excluded.phone, url = excluded.url,
      is_private = excluded.is_private, time_zone = excluded.time_zone, licence = excluded.licence,
      attribution = excluded.attribution, other_names = excluded.other_names, place_names = excluded.place_names,
      search_name = excluded.search_name, search_text = excluded.search_text, search_city = excluded.search_city,
      content_hash = excluded.content_hash, updated_at = now()
  `.execute(trx);
}

async function saveFacilities(trx: Trx, centers: StoredCenter[]): Promise<void> {
  const rows = centers.flatMap(({ id, sports }) =>
    sports.map((type) => ({ id: facilityId(id, type), center: id, type })),
  );
  await sql`
    insert into sport_facilities (id, sport_center_id, type)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as facility (id uuid, center uuid, type text)
    on conflict (sport_center_id, type) do nothing
  `.execute(trx);
}

/** Records that are no longer what they were merged into. */
export async function forgetMerges(trx: Trx, records: { source: string; source_ref: string }[]): Promise<void> {
  if (records.length === 0) return;
  await sql`
    delete from sport_center_merges where (source, source_ref) in (
      select source, source_ref from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as gone (source text, source_ref text)
    )
  `.execute(trx);
}

/** Notes which records are a center that we have, so that the next import finds them there at once. */
export async function saveMerges(
  trx: Trx,
  merges: { source: string; source_ref: string; id: string }[],
): Promise<void> {
  if (merges.length === 0) return;
  await sql`
    insert into sport_center_merges (source, source_ref, sport_center_id)
    select * from jsonb_to_recordset(${JSON.stringify(merges)}::jsonb) as merge (source text, source_ref text, id uuid)
    on conflict (source, source_ref) do nothing
  `.execute(trx);
}
