import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { Client } from 'pg';
import { toSearchColumns } from '#api/modules/sport-centers/search-columns.ts';
import { createTownService } from '#api/modules/towns/service.ts';
import { generateCenters, type RealCenter, randomId, seedRandom } from './synthetic-centers.ts';

const CENTER_COLUMNS = `id, name, address, city, country, latitude, longitude, phone, url, is_private, time_zone,
  source, source_ref, licence, attribution, content_hash, place_names, search_name, search_text, search_city`;
const FACILITY_COLUMNS = 'id, sport_center_id, type';

/** Rows of centers and of their facilities, as PostgreSQL's COPY reads them. */
export interface CenterFiles {
  centers: string;
  facilities: string;
}

/** Writes `count` synthetic centers into files that the database's own user of the machine can read. */
export async function writeCenterFiles(
  folder: string,
  real: readonly RealCenter[],
  count: number,
  seed: number,
): Promise<CenterFiles> {
  const files = { centers: join(folder, 'centers.tsv'), facilities: join(folder, 'facilities.tsv') };
  const [centers, facilities] = [openRows(files.centers), openRows(files.facilities)];
  const { namesAround } = createTownService();
  const place_names = real.map(namesAround);
  const random = seedRandom(seed + 1);
  for (const center of generateCenters(real, count, seed)) {
    const names = place_names[center.model] ?? [];
    const search = toSearchColumns({ ...center, other_names: [] }, names);
    await centers.write([
      ...[center.id, center.name, center.address, center.city, center.country, center.latitude, center.longitude],
      ...[center.phone, center.url, center.is_private, center.time_zone, 'synthetic', center.id, center.licence],
      ...[
        center.attribution,
        'synthetic',
        toArrayLiteral(names),
        search.search_name,
        search.search_text,
        search.search_city,
      ],
    ]);
    for (const sport of center.sports) await facilities.write([randomId(random), center.id, sport]);
  }
  await Promise.all([centers.end(), facilities.end()]);
  return files;
}

/**
 * Copies the files into the empty tables `sport_centers` and `sport_facilities`. Indexes of centers that are not unique are
 * dropped first and made again afterwards.
 */
export async function copyCenters(database_url: string, files: CenterFiles): Promise<void> {
  const client = new Client({ connectionString: database_url });
  await client.connect();
  try {
    // Without triggers, so that no foreign key is looked up.
    await client.query("set session_replication_role = replica; set maintenance_work_mem = '512MB'");
    const { rows } = await client.query<{ name: string; definition: string }>(
      `select indexname as name, indexdef as definition from pg_indexes
       where tablename = 'sport_centers' and indexdef not like 'CREATE UNIQUE%'`,
    );
    for (const { name } of rows) await client.query(`drop index ${name}`);
    await client.query(`copy sport_centers (${CENTER_COLUMNS}) from '${files.centers}'`);
    await client.query(`copy sport_facilities (${FACILITY_COLUMNS}) from '${files.facilities}'`);
    for (const { definition } of rows) await client.query(definition);
    await client.query('analyze sport_centers, sport_facilities');
  } finally {
    await client.end();
  }
}

type Value = string | number | boolean | null;

function openRows(path: string) {
  const stream: WriteStream = createWriteStream(path, { mode: 0o644 });
  let buffered = '';
  const flush = async (): Promise<void> => {
    const text = buffered;
    buffered = '';
    if (!stream.write(text)) await once(stream, 'drain');
  };
  return {
    async write(values: Value[]): Promise<void> {
      buffered += `${values.map(toField).join('\t')}\n`;
      if (buffered.length > 1 << 20) await flush();
    },
    async end(): Promise<void> {
      await flush();
      stream.end();
      await finished(stream);
    },
  };
}

function toField(value: Value): string {
  if (value === null) return '\\N';
  return String(value).replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

function toArrayLiteral(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
