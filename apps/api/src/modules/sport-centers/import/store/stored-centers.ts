import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';
import { putEditsInForce, readEdits } from '#api/modules/sport-centers/edits/edits.ts';
import { toSearchColumns } from '#api/modules/sport-centers/search-columns.ts';
import type { IdentifiedCenter } from '../match/merge.ts';
import { facilityId } from '../read/source-ref.ts';
import type { Center } from '../read/types.ts';

const BATCH_ROWS = 500;
/** A tenth more than `MAX_SAME_CENTER_M`, in degrees of latitude. */
const BAND_DEGREES = 0.003;
const IMPORT_LOCK = 7_305_431;
const LOCK_RETRY_MS = 250;

/** The columns of a center's facts, in hashing order. */
const FACTS = {
  source: 'text',
  source_ref: 'text',
  name: 'text',
  address: 'text',
  city: 'text',
  country: 'text',
  latitude: 'double precision',
  longitude: 'double precision',
  phone: 'text',
  url: 'text',
  is_private: 'boolean',
  time_zone: 'text',
  licence: 'text',
  attribution: 'text',
  other_names: 'text[]',
  place_names: 'text[]',
} satisfies Record<Exclude<keyof Center, 'sports'>, string>;
const FACT_NAMES = Object.keys(FACTS) as (keyof typeof FACTS)[];
const SAVED = {
  id: 'uuid',
  ...FACTS,
  search_name: 'text',
  search_text: 'text',
  search_city: 'text',
  content_hash: 'text',
};
/** The keys of a center never change and are not written: writing them would block an activity starting there. */
const IMMUTABLE_COLUMNS = ['id', 'source', 'source_ref'];

/** A stored center with the hash that tells whether a write would change anything. */
export type StoredCenter = IdentifiedCenter & { content_hash: string };

/** The stored data an import compares with. `merges` maps `source ref` to the id of the center it was merged into. */
export type StoredCenters = {
  byRef: Map<string, StoredCenter>;
  byId: Map<string, StoredCenter>;
  merges: Map<string, string>;
};

/** The key of a record in the maps above. */
export function keyOf(record: { source: string; source_ref: string }): string {
  return `${record.source} ${record.source_ref}`;
}

/** SHA-256 over all facts of a center; equal hashes mean no change. */
export function contentHash(center: Center): string {
  const facts = [...FACT_NAMES.map((name) => center[name]), center.sports];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/**
 * Concurrent imports would each miss the other's centers, so the second waits. It polls, because a statement may last
 * only seconds and an import takes minutes. The lock ends with the transaction.
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

/**
 * Loads the stored centers relevant to some records: centers with the reference of a record, with the record merged
 * into them, or near it. With the facts of their sources, not those that managers set.
 */
export async function loadStoredCenters(trx: Trx, records: readonly Center[]): Promise<StoredCenters> {
  const rows = records.map(({ source, source_ref, latitude, longitude }) => [source, source_ref, latitude, longitude]);
  const record = sql`(
    select row->>0 as source, row->>1 as source_ref, (row->2)::float8 as latitude, (row->3)::float8 as longitude
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as row) as record`;
  const { rows: merges } = await sql<{ source: string; source_ref: string; sport_center_id: string }>`
    select merge.* from ${record} join sport_center_merges merge using (source, source_ref)`.execute(trx);
  const { rows: rows_of_centers } = await sql<StoredCenter>`
    with record as materialized (select *, ${bandOf('latitude')} as band from ${record}),
    concerned as (
      select center.id from record join sport_centers center using (source, source_ref)
      union select merge.sport_center_id from record join sport_center_merges merge using (source, source_ref)
      union select center.id from record cross join generate_series(-1, 1) as step
        join sport_centers center on ${bandOf('center.latitude')} = record.band + step
        and abs(center.longitude - record.longitude) * cos(radians(center.latitude)) <= ${sql.lit(BAND_DEGREES)}
    )
    select id, content_hash, ${sql.join(FACT_NAMES.map((name) => sql.ref(name)))},
      array(select type from sport_facilities where sport_center_id = center.id order by type) as sports
    from sport_centers center where id in (select id from concerned) order by id`.execute(trx);
  const edits = await readEdits(
    trx,
    rows_of_centers.map(({ id }) => id),
  );
  const centers = rows_of_centers.map((center) => ({ ...center, ...edits.get(center.id)?.source_facts }));
  return {
    byRef: new Map(centers.map((center) => [keyOf(center), center])),
    byId: new Map(centers.map((center) => [center.id, center])),
    merges: new Map(merges.map((merge) => [keyOf(merge), merge.sport_center_id])),
  };
}

/** Centers within reach of each other are in the same latitude band or in adjacent ones. */
function bandOf(column: 'latitude' | 'center.latitude') {
  return sql`floor(${sql.ref(column)} / ${sql.lit(BAND_DEGREES)})::integer`;
}

type SaveOptions = {
  /** See `ImportOptions`. */
  doubts_new_urls: boolean;
  on_saved: (done: number) => void;
};

/**
 * Inserts or updates centers and their facilities; facts that managers set stay. Never deletes: activities reference
 * centers.
 */
export async function saveCenters(
  trx: Trx,
  centers: StoredCenter[],
  { doubts_new_urls, on_saved }: SaveOptions,
): Promise<void> {
  for (let at = 0; at < centers.length; at += BATCH_ROWS) {
    const batch = await putEditsInForce(trx, centers.slice(at, at + BATCH_ROWS));
    await saveRows(trx, batch, doubts_new_urls);
    await saveFacilities(trx, batch);
    on_saved(at + batch.length);
  }
}

/** An update leaves `url_changed_at` to the trigger of `sport_centers`. */
async function saveRows(trx: Trx, centers: StoredCenter[], doubts_new_urls: boolean): Promise<void> {
  const rows = centers.map((center) => ({ ...center, ...toSearchColumns(center, center.place_names) }));
  const names = Object.keys(SAVED);
  const typed = Object.entries(SAVED).map(([name, type]) => `${name} ${type}`);
  const changes = names.filter((name) => !IMMUTABLE_COLUMNS.includes(name)).map((name) => `${name} = excluded.${name}`);
  await sql`
    insert into sport_centers (${sql.raw(names.join(', '))}, url_changed_at)
    select *, ${doubts_new_urls ? sql`now()` : sql`null::timestamptz`} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as center (${sql.raw(typed.join(', '))})
    on conflict (id) do update set ${sql.raw(changes.join(', '))}, updated_at = now()`.execute(trx);
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

/** Deletes merges of records that no longer describe their center. */
export async function deleteMerges(trx: Trx, records: { source: string; source_ref: string }[]): Promise<void> {
  if (records.length === 0) return;
  await sql`
    delete from sport_center_merges where (source, source_ref) in (
      select source, source_ref from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as gone (source text, source_ref text)
    )
  `.execute(trx);
}

/** Stores which records were merged into which center, so that the next import finds them directly. */
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
