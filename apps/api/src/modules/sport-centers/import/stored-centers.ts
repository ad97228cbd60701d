import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/platform/database.ts';
import type { Stored } from './merge.ts';
import { facilityId } from './source-ref.ts';
import type { Center } from './types.ts';

/** Chosen so that one statement stays far below the five seconds that the server gives it. */
const BATCH_ROWS = 1000;
const IMPORT_LOCK = 7_305_431;

/** A stored center with the hash that tells whether a write would change anything. */
export type StoredCenter = Stored & { content_hash: string };

/** Everything that an import compares with. `merges` maps `source ref` to the id of the center that took it in. */
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
    center.sports,
  ];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/** Two imports at once would each miss the other's centers; the second waits. Ends with the transaction. */
export async function lockImports(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${IMPORT_LOCK})`.execute(trx);
}

export async function loadStoredCenters(db: Database | Trx): Promise<StoredCenters> {
  const rows = await db.selectFrom('sport_centers').selectAll().orderBy('id').execute();
  const facilities = await db
    .selectFrom('sport_facilities')
    .select(['sport_center_id', 'type'])
    .orderBy('type')
    .execute();
  const merges = await db.selectFrom('sport_center_merges').selectAll().execute();
  const byId = new Map<string, StoredCenter>();
  for (const { closed_at: _closed, created_at: _created, updated_at: _updated, ...row } of rows) {
    byId.set(row.id, { ...row, sports: [] });
  }
  for (const { sport_center_id, type } of facilities) byId.get(sport_center_id)?.sports.push(type);
  return {
    byId,
    byRef: new Map([...byId.values()].map((center) => [keyOf(center), center])),
    merges: new Map(merges.map((merge) => [keyOf(merge), merge.sport_center_id])),
  };
}

/** Inserts or updates centers and their facilities. Nothing is ever deleted: activities point at centers. */
export async function saveCenters(trx: Trx, centers: StoredCenter[], onSaved: (done: number) => void): Promise<void> {
  for (let at = 0; at < centers.length; at += BATCH_ROWS) {
    const batch = centers.slice(at, at + BATCH_ROWS);
    await saveRows(trx, batch);
    await saveFacilities(trx, batch);
    onSaved(Math.min(at + BATCH_ROWS, centers.length));
  }
}

async function saveRows(trx: Trx, centers: StoredCenter[]): Promise<void> {
  await sql`
    insert into sport_centers (
      id, name, address, city, country, latitude, longitude, phone, url, is_private, time_zone,
      source, source_ref, licence, attribution, other_names, content_hash
    )
    select * from jsonb_to_recordset(${JSON.stringify(centers)}::jsonb) as center (
      id uuid, name text, address text, city text, country text, latitude double precision, longitude double precision,
      phone text, url text, is_private boolean, time_zone text,
      source text, source_ref text, licence text, attribution text, other_names text[], content_hash text
    )
    on conflict (id) do update set
      name = excluded.name, address = excluded.address, city = excluded.city, country = excluded.country,
      latitude = excluded.latitude, longitude = excluded.longitude, phone = excluded.phone, url = excluded.url,
      is_private = excluded.is_private, time_zone = excluded.time_zone, licence = excluded.licence,
      attribution = excluded.attribution, other_names = excluded.other_names, content_hash = excluded.content_hash,
      updated_at = now()
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

/** Notes which records are a center that we have, so that the next import finds them there at once. */
export async function saveMerges(
  trx: Trx,
  merges: { source: string; source_ref: string; id: string }[],
): Promise<void> {
  for (let at = 0; at < merges.length; at += BATCH_ROWS) {
    await sql`
      insert into sport_center_merges (source, source_ref, sport_center_id)
      select * from jsonb_to_recordset(${JSON.stringify(merges.slice(at, at + BATCH_ROWS))}::jsonb)
        as merge (source text, source_ref text, id uuid)
      on conflict (source, source_ref) do nothing
    `.execute(trx);
  }
}
