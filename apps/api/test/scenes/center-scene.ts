import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { installErrorHandler } from '#api/http/error-replies.ts';
import { createRoute } from '#api/http/route.ts';
import { compileSerializer, compileValidator } from '#api/http/schema-compilers.ts';
import { mountSportCenters } from '#api/modules/sport-centers/routes.ts';
import { toSearchColumns } from '#api/modules/sport-centers/search-columns.ts';
import { createSportCenterService, type SportCenterService } from '#api/modules/sport-centers/service.ts';
import starterSet from '#api/starter/sport-centers.json' with { type: 'json' };
import { REFUSING_AUTHENTICATOR } from '../app/refusing-authenticator.ts';
import { createTestDatabase } from '../database/database.ts';
import { openPatientDatabase } from '../database/patient-database.ts';

const NEVER_MS = 3_600_000;

export interface CenterSeed {
  name: string;
  address?: string | null;
  city?: string | null;
  country?: string | null;
  at: [latitude: number, longitude: number];
  sports: readonly string[];
  is_private?: boolean | null;
  other_names?: string[];
  closed?: boolean;
}

/** Stores centers and returns their ids. Towns are not looked up: every center north of 50° is in London. */
export async function addCenters(database: Database, seeds: readonly CenterSeed[]): Promise<string[]> {
  const rows = seeds.map((seed) => ({
    ...seed,
    ...searchColumns(seed),
    id: randomUUID(),
    latitude: seed.at[0],
    longitude: seed.at[1],
    closed_at: seed.closed ? '2026-01-01T00:00:00Z' : null,
    other_names: seed.other_names ?? [],
  }));
  await sql`
    insert into sport_centers (id, name, address, city, country, latitude, longitude, is_private, other_names, closed_at,
      place_names, search_name, search_text, search_city, time_zone, source, source_ref, licence, attribution, content_hash)
    select id, name, address, city, country, latitude, longitude, is_private, other_names, closed_at,
      place_names, search_name, search_text, search_city, 'Europe/Madrid', 'test', id::text, 'ODbL-1.0', '© OpenStreetMap contributors', id::text
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as center (
      id uuid, name text, address text, city text, country text, latitude double precision, longitude double precision,
      is_private boolean, other_names text[], closed_at timestamptz, place_names text[], search_name text, search_text text,
      search_city text
    )
  `.execute(database);
  const facilities = rows.flatMap(({ id, sports }) => sports.map((type) => ({ id: randomUUID(), center: id, type })));
  await sql`
    insert into sport_facilities (id, sport_center_id, type)
    select * from jsonb_to_recordset(${JSON.stringify(facilities)}::jsonb) as facility (id uuid, center uuid, type text)
  `.execute(database);
  return rows.map(({ id }) => id);
}

function searchColumns({ name, other_names = [], city = null, address = null, at }: CenterSeed) {
  const place_names = at[0] > 50 ? ['London', 'Londres'] : [];
  return { place_names, ...toSearchColumns({ name, other_names, city, address }, place_names) };
}

/** The product's starter set of centers, some of them made private or closed. */
export function starterSeeds(): CenterSeed[] {
  return starterSet.centers.map(({ latitude, longitude, ...center }, at) =>
    mark({ ...center, at: [latitude, longitude] }, at),
  );
}

interface Feature {
  geometry: { coordinates: [number, number] };
  properties: Pick<CenterSeed, 'name' | 'address' | 'city' | 'country' | 'is_private'> & { types: string[] };
}

/** All centers of `sport-centers.geojson` in the folder, some of them made private or closed. */
export function realSeeds(folder: string): CenterSeed[] {
  const { features } = JSON.parse(readFileSync(join(folder, 'sport-centers.geojson'), 'utf8')) as {
    features: Feature[];
  };
  return features.map(({ geometry: { coordinates }, properties: { types, ...facts } }, at) =>
    mark({ ...facts, sports: types, at: [coordinates[1], coordinates[0]] }, at),
  );
}

function mark(seed: CenterSeed, at: number): CenterSeed {
  return { ...seed, closed: at % 13 === 5, is_private: at % 7 === 3 ? true : (seed.is_private ?? null) };
}

export interface CenterScene {
  database: Database;
  database_url: string;
  service: SportCenterService;
  get(url: string, headers?: Record<string, string>): Promise<CenterReply>;
  /** Returns all pages of a list. */
  collect(path: string): Promise<{ id: string; distance_km?: number | null }[]>;
  close(): Promise<void>;
}

export interface CenterReply {
  status: number;
  headers: Record<string, unknown>;
  /** The parsed body, untyped: tests read it as deep as they like. */
  body: ReturnType<typeof JSON.parse>;
}

/** Serves the calls about centers on a database of their own. */
export async function buildCenterScene(seeds: readonly CenterSeed[]): Promise<CenterScene> {
  const fresh = await createTestDatabase();
  const database = openPatientDatabase(fresh.url);
  await addCenters(database, seeds);
  // Tests refresh the service themselves.
  const service = await createSportCenterService({ database, poll_ms: NEVER_MS });
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } }) as unknown as FastifyInstance;
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  installErrorHandler(app);
  const route = createRoute(app, REFUSING_AUTHENTICATOR);
  mountSportCenters(app, route, service);
  await app.ready();

  async function get(url: string, headers: Record<string, string> = {}): Promise<CenterReply> {
    const reply = await app.inject({ method: 'GET', url, headers });
    return { status: reply.statusCode, headers: reply.headers, body: reply.body === '' ? undefined : reply.json() };
  }
  return {
    database,
    database_url: fresh.url,
    service,
    get,
    async collect(path) {
      const items: { id: string }[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await get(cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`);
        items.push(...body.data.items);
        cursor = body.data.next_cursor;
      }
      return items;
    },
    async close() {
      service.close();
      await app.close();
      await database.destroy();
      await fresh.drop();
    },
  };
}
