import { randomUUID } from 'node:crypto';
import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import { searchCenters } from '@sendlap/domain/sport-centers.ts';
import fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#api/platform/database.ts';
import { replyWithErrors } from '#api/platform/error-replies.ts';
import { createRoute } from '#api/platform/route.ts';
import { createTestDatabase } from '#test/database.ts';
import { mountSportCenters } from './routes.ts';
import { createSportCenterService, type SportCenterService } from './service.ts';

interface Seed {
  name: string;
  city?: string;
  country?: string;
  at: [latitude: number, longitude: number];
  sports: ('climbing' | 'swimming')[];
  is_private?: boolean;
  closed?: boolean;
}

const LONG_NAME = 'Asociación de amigos de la escalada y de la natación de la ciudad';
const SEEDS: Seed[] = [
  { name: 'Sharma Climbing', city: 'Barcelona', country: 'ES', at: [41.3986, 2.2006], sports: ['climbing'] },
  { name: 'Piscines Picornell', city: 'Barcelona', country: 'ES', at: [41.3647, 2.1519], sports: ['swimming'] },
  { name: 'Club Natació', city: 'BARCELONA', country: 'ES', at: [41.38, 2.19], sports: ['swimming'], is_private: true },
  { name: 'Piugaz', city: 'Bilbao', country: 'ES', at: [43.27, -2.94], sports: ['climbing'], is_private: false },
  { name: 'Both', country: 'DK', at: [55.66, 12.57], sports: ['climbing', 'swimming'] },
  { name: 'Gone', city: 'Bilbao', country: 'ES', at: [43.26, -2.93], sports: ['climbing'], closed: true },
  { name: `${LONG_NAME} A`, at: [0, 0], sports: ['climbing'] },
  { name: `${LONG_NAME} B`, at: [0, 0], sports: ['climbing'] },
  { name: `${LONG_NAME} C`, at: [0, 0], sports: ['climbing'] },
];

let app: FastifyInstance;
let database: Database;
let service: SportCenterService;
let drop: () => Promise<void>;

async function addCenter(seed: Seed): Promise<string> {
  const id = randomUUID();
  const [latitude, longitude] = seed.at;
  await database
    .insertInto('sport_centers')
    .values({
      id,
      name: seed.name,
      address: null,
      city: seed.city ?? null,
      country: seed.country ?? null,
      latitude,
      longitude,
      phone: null,
      url: null,
      is_private: seed.is_private ?? null,
      time_zone: 'Europe/Madrid',
      source: 'test',
      source_ref: id,
      licence: 'ODbL-1.0',
      attribution: '© OpenStreetMap contributors',
      closed_at: seed.closed ? new Date() : null,
      content_hash: id,
    })
    .execute();
  await database
    .insertInto('sport_facilities')
    .values(seed.sports.map((type) => ({ id: randomUUID(), sport_center_id: id, type })))
    .execute();
  return id;
}

beforeAll(async () => {
  const fresh = await createTestDatabase();
  drop = fresh.drop;
  database = openDatabase(fresh.url);
  for (const seed of SEEDS) await addCenter(seed);
  for (let at = 0; at < 60; at += 1) {
    const sports: Seed['sports'] = at % 3 === 0 ? ['swimming'] : ['climbing'];
    await addCenter({ name: `Hall ${at % 7}`, at: [36 + (at % 8) / 100, -3 - (at % 5) / 100], sports });
  }
  service = await createSportCenterService({ database });
  app = Fastify({ routerOptions: { ignoreTrailingSlash: true } }) as unknown as FastifyInstance;
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  replyWithErrors(app);
  const route = createRoute(app, {
    authenticate: () => Promise.reject(new Error('nobody signs in')),
    checkOrigin: () => {},
  });
  mountSportCenters(app, route, service);
  await app.ready();
});

afterAll(async () => {
  service.close();
  await app.close();
  await database.destroy();
  await drop();
});

async function get(url: string, headers: Record<string, string> = {}) {
  const reply = await app.inject({ method: 'GET', url, headers });
  return { status: reply.statusCode, headers: reply.headers, body: reply.body === '' ? undefined : reply.json() };
}

function cursorOf(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

describe('reads of sport centers refuse', () => {
  const here = 'latitude=41.4&longitude=2.1';
  it.each([
    ['a latitude out of range', '/v1/sport-centers/search?latitude=90.01&longitude=0'],
    ['a longitude out of range', '/v1/sport-centers/search?latitude=0&longitude=-180.5'],
    ['a latitude that is no number', '/v1/sport-centers/search?latitude=NaN&longitude=0'],
    ['a latitude without a longitude', '/v1/sport-centers/search?latitude=41'],
    ['a radius of 0', `/v1/sport-centers/search?${here}&radius_km=0`],
    ['a negative radius', `/v1/sport-centers/search?${here}&radius_km=-1`],
    ['a radius over 500 km', `/v1/sport-centers/search?${here}&radius_km=500.1`],
    ['a radius without a position', '/v1/sport-centers/search?radius_km=5'],
    ['an order by distance without a position', '/v1/sport-centers/search?sort=distance'],
    ['an unknown sport', '/v1/sport-centers/search?sport=chess'],
    ['an unknown order', '/v1/sport-centers/search?sort=rating'],
    ['a box of three numbers', '/v1/sport-centers/search?bbox=1,2,3'],
    ['a box upside down', '/v1/sport-centers/search?bbox=1,10,3,4'],
    ['a country of three letters', '/v1/sport-centers/search?country=ESP'],
    ['an unknown parameter', '/v1/sport-centers/search?q=roc&fuzzy=1'],
    ['a repeated parameter', '/v1/sport-centers/search?q=roc&q=piscina'],
    ['a page of 101', '/v1/sport-centers?limit=101'],
    ['a page of 0', '/v1/sport-centers?limit=0'],
    ['an unknown parameter of the list', '/v1/sport-centers?sort=name'],
    ['a parameter of the filter options', '/v1/sport-centers/filter-options?x=1'],
    ['an id that is no UUID', '/v1/sport-centers/42'],
    ['an unknown sport to find', `/v1/sports/chess/find?${here}`],
    ['a find without a position', '/v1/sports/climbing/find'],
    ['an endless cursor', `/v1/sport-centers?cursor=${'a'.repeat(513)}`],
  ])('%s', async (_, url) => {
    const { status, body } = await get(url);
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, code: 'validation_failed' });
    expect(body.message).not.toBe('');
  });

  it('U+0000 and broken UTF-8 in a text', async () => {
    expect((await get('/v1/sport-centers/search?q=a%00b')).status).toBe(400);
    expect((await get('/v1/sport-centers/search?q=%ED%A0%80')).status).toBeLessThan(500);
  });

  it('a sport center that does not exist, with its own code', async () => {
    const { status, body } = await get(`/v1/sport-centers/${randomUUID()}`);
    expect([status, body.code]).toEqual([404, 'sport_center_not_found']);
  });

  it.each([
    ['no JSON', 'bm90IGpzb24'],
    ['another shape', cursorOf({ rank: 1 })],
    ['no id', cursorOf(['hall', 'x', 'y'])],
    ['another query', cursorOf(['hall', randomUUID(), 'AAAAAAAA'])],
  ])('a crafted cursor: %s', async (_, cursor) => {
    const { status, body } = await get(`/v1/sport-centers?cursor=${cursor}`);
    expect([status, body.code]).toEqual([400, 'cursor_invalid']);
  });

  it('a cursor of another search', async () => {
    const first = await get('/v1/sport-centers/search?q=hall&limit=2');
    const cursor = first.body.data.next_cursor;
    expect((await get(`/v1/sport-centers/search?q=hall&limit=5&cursor=${cursor}`)).status).toBe(200);
    expect((await get(`/v1/sport-centers/search?q=club&limit=2&cursor=${cursor}`)).body.code).toBe('cursor_invalid');
    expect((await get(`/v1/sport-centers?limit=2&cursor=${cursor}`)).body.code).toBe('cursor_invalid');
  });
});

async function collect(path: string): Promise<{ id: string }[]> {
  const items: { id: string }[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await get(cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`);
    items.push(...body.data.items);
    cursor = body.data.next_cursor;
  }
  return items;
}

describe('reads of sport centers', () => {
  it.each([1, 7, 100])('visit every open center exactly once in pages of %i', async (limit) => {
    const ids = (await collect(`/v1/sport-centers?limit=${limit}`)).map(({ id }) => id);
    expect(ids).toHaveLength(SEEDS.length - 1 + 60);
    expect(new Set(ids).size).toBe(ids.length);
    const near = await collect(`/v1/sport-centers/search?latitude=36&longitude=-3&limit=${limit}`);
    expect(new Set(near.map(({ id }) => id))).toEqual(new Set(ids));
    expect(near).toHaveLength(ids.length);
  });

  it('answer over HTTP what the domain answers for the same question', async () => {
    const all = service.listSportCenters({ limit: 1000 }).items;
    const question = fc.record(
      {
        q: fc.constantFrom('hall', 'Hall 3', 'barcelona', 'natacio', 'PISC', 'nothing'),
        city: fc.constantFrom('barce', 'Bilbao'),
        country: fc.constantFrom('es', 'DK'),
        sport: fc.constantFrom('climbing', 'swimming'),
        is_private: fc.boolean(),
        place: fc.record({
          latitude: fc.constantFrom(36, 36.03, 41.4, -90),
          longitude: fc.constantFrom(-3, 2.1, 180),
          radius_km: fc.constantFrom(0.5, 3, 5, 500),
        }),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(question, async ({ place, ...rest }) => {
        const asked = { ...rest, ...place };
        const text = new URLSearchParams(Object.entries(asked).map(([key, value]) => [key, String(value)]));
        const { body } = await get(`/v1/sport-centers/search?${text}&limit=100`);
        const expected = searchCenters(all, asked as Parameters<typeof searchCenters>[1]);
        expect(body.data.items.map(({ id, distance_km }: FoundSportCenter) => [id, distance_km])).toEqual(
          expected.map(({ id, distance_km }) => [id, distance_km]),
        );
        expect(body.data.total).toBe(expected.length);
      }),
      { numRuns: 300 },
    );
  });

  it('find the nearest of a sport', async () => {
    const { body } = await get('/v1/sports/climbing/find?latitude=41.39&longitude=2.19&limit=2');
    expect(body.data.map(({ name }: FoundSportCenter) => name)).toEqual(['Sharma Climbing', 'Piugaz']);
    expect(body.data[0].distance_km).toBeCloseTo(1.3, 1);
    const near = await get('/v1/sports/climbing/find?latitude=41.39&longitude=2.19&radius_km=5');
    expect(near.body.data).toHaveLength(1);
  });

  it('count what can be filtered; spellings of a city count together', async () => {
    const { body } = await get('/v1/sport-centers/filter-options');
    expect(body.data.cities).toEqual([
      { value: 'Barcelona', count: 3 },
      { value: 'Bilbao', count: 1 },
    ]);
    expect(body.data.countries).toEqual([
      { value: 'ES', count: 4 },
      { value: 'DK', count: 1 },
    ]);
    expect(body.data.sports).toEqual([
      { value: 'climbing', count: 46 },
      { value: 'swimming', count: 23 },
    ]);
  });

  it('give one center with its facilities, time zone and licence', async () => {
    const [first] = await collect('/v1/sport-centers/search?q=sharma');
    const { body, headers } = await get(`/v1/sport-centers/${first?.id.toUpperCase()}`);
    expect(body.data).toMatchObject({ name: 'Sharma Climbing', time_zone: 'Europe/Madrid', licence: 'ODbL-1.0' });
    expect(body.data.sport_facilities).toMatchObject([{ type: 'climbing', sport_center_id: first?.id }]);
    expect(headers['cache-control']).toBe('public, max-age=300');
  });

  it('answer 304 to who has the same data, and in full once it changed', async () => {
    const url = '/v1/sport-centers/search?q=newcomer';
    const first = await get(url);
    const etag = String(first.headers.etag);
    const again = await get(url, { 'if-none-match': etag });
    expect([again.status, again.body, again.headers.etag]).toEqual([304, undefined, etag]);
    expect((await get('/v1/sport-centers/search?q=other', { 'if-none-match': etag })).status).toBe(200);

    const id = await addCenter({ name: 'Newcomer', at: [1, 1], sports: ['climbing'] });
    await service.refresh();
    const changed = await get(url, { 'if-none-match': etag });
    expect([changed.status, changed.body.data.total]).toEqual([200, 1]);
    expect(service.getById(id)?.name).toBe('Newcomer');
  });

  it('follow a change that another process made', async () => {
    const other = await createSportCenterService({ database, poll_ms: 20 });
    const id = await addCenter({ name: 'Elsewhere', at: [2, 2], sports: ['swimming'] });
    await expect.poll(() => other.getById(id)?.name).toBe('Elsewhere');
    other.close();
  });
});
