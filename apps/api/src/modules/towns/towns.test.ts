import { searchTowns, Town } from '@sendlap/contract/towns.ts';
import { searchEveryTown } from '@sendlap/domain/test/town-search.ts';
import { foldTownName, townsAround } from '@sendlap/domain/towns.ts';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRoute } from '#api/http/route.ts';
import { createServer } from '#api/http/server.ts';
import { REFUSING_AUTHENTICATOR } from '#test/app/refusing-authenticator.ts';
import { buildGazetteer, type SearchableTown } from './gazetteer.ts';
import { mountTowns } from './routes.ts';
import { createTownService } from './service.ts';
import { readTownNames } from './town-names.ts';

const service = createTownService();
let towns: SearchableTown[];
let app: FastifyInstance;
beforeAll(async () => {
  const { length, searchableTownAt } = buildGazetteer();
  towns = Array.from({ length }, (_, number) => searchableTownAt(number));
  app = await createServer({ logger: false, trust_proxy: undefined, public_url: 'http://localhost' });
  mountTowns(app, createRoute(app, REFUSING_AUTHENTICATOR), service);
  await app.ready();
});
afterAll(() => app.close());

const found = (text: string, limit = 5) =>
  service.searchTowns(text, limit).map(({ name, country }) => `${name} ${country}`);

function get(query: Record<string, string>, headers: Record<string, string> = {}) {
  return app.inject({ method: 'GET', url: searchTowns.path, query, headers });
}

describe('GET /v1/places/search', () => {
  it.each([
    ['no text', {}],
    ['an empty text', { q: '' }],
    ['a text of 121 characters', { q: 'a'.repeat(121) }],
    ['limit 0', { q: 'a', limit: '0' }],
    ['limit 101', { q: 'a', limit: '101' }],
    ['limit 1.5', { q: 'a', limit: '1.5' }],
    ['an unknown parameter', { q: 'a', near: '1' }],
  ])('refuses %s', async (_, query) => {
    const reply = await get(query as Record<string, string>);
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'validation_failed']);
  });

  it('answers a text without a letter or digit with an empty list', async () => {
    expect((await get({ q: '¡!' })).json().data).toEqual({ items: [], next_cursor: null });
  });

  it('gives whole places, which may be kept for a day', async () => {
    const reply = await get({ q: 'Londres', limit: '1' });
    expect(reply.headers['cache-control']).toBe('public, max-age=86400');
    expect(reply.json().data.items.map((item: unknown) => Town.parse(item))).toEqual([
      {
        id: 'geonames:2643743',
        name: 'London',
        name_es: 'Londres',
        country: 'GB',
        latitude: 51.50853,
        longitude: -0.12574,
        radius_km: 30,
        population: 7556900,
      },
    ]);
  });

  it('answers 304 to a caller with the current list, and the list to a caller with another one', async () => {
    const etag = String((await get({ q: 'Viena' })).headers.etag);
    const again = await get({ q: 'Viena' }, { 'if-none-match': etag });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
    expect((await get({ q: 'Bilbao' }, { 'if-none-match': etag })).statusCode).toBe(200);
  });
});

describe('searchTowns', () => {
  it.each([
    ['Londres', 'London GB'],
    ['londyn', 'London GB'],
    ['ロンドン', 'London GB'],
    ['Viena', 'Vienna AT'],
    ['Wien', 'Vienna AT'],
    ['münch', 'Munich DE'],
    ['munch', 'Munich DE'],
    ['Bilbao', 'Bilbao ES'],
    ['san sebas', 'San Sebastián ES'],
    ['Donostia', 'San Sebastián ES'],
    ['vitoria-gasteiz', 'Vitoria-Gasteiz ES'],
    ['NUEVA YORK', 'New York US'],
    ['köln', 'Cologne DE'],
    ['st. gallen', 'Sankt Gallen CH'],
    ['madrd', 'Madrid ES'],
    ['edinbrugh', 'Edinburgh GB'],
    ['barclona', 'Barcelona ES'],
    ['Bilbo', 'Bilbao ES'],
  ])('finds %s as %s first', (text, name) => expect(found(text)[0]).toBe(name));

  it('says how the text names a town', () => {
    const match = (text: string) => service.searchTowns(text, 1)[0]?.match;
    expect(['Wien', 'wie', 'Bilbo', 'madrd', 'xqzwv'].map(match)).toEqual([
      ...['name', 'beginning', 'name', 'typo', undefined],
    ]);
  });

  it('finds the same towns as a walk over all of them for misspelt names', () => {
    const misspelt = fc.tuple(fc.nat(towns.length - 1), fc.nat()).map(([at, nth]) => {
      const name = towns[at]?.names[0] ?? '';
      const cut = 1 + (nth % Math.max(1, name.length - 1));
      return `${name.slice(0, cut)}${name.slice(cut + 1)}`;
    });
    fc.assert(
      fc.property(misspelt, (text) => {
        const expected = searchEveryTown(towns, foldTownName(text), 10).map(({ id }) => `geonames:${id}`);
        expect(service.searchTowns(text, 10).map(({ id }) => id)).toEqual(expected);
      }),
      { numRuns: 10 },
    );
  });

  it('shows each town once, whatever number of its names begin so', () => {
    const ids = service.searchTowns('don', 100).map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it('finds the same towns as a walk over all of them, in the same order', () => {
    const start = fc.oneof(
      fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom(...'abdeglmnorstuv ') }),
      fc.nat(20_000).chain((at) => {
        const names = [...(towns[at]?.names ?? []), ...(towns[at]?.other_names ?? [])];
        return fc.tuple(fc.constantFrom(...names), fc.nat(12)).map(([name, length]) => name.slice(0, length + 1));
      }),
    );
    fc.assert(
      fc.property(start, fc.integer({ min: 1, max: 30 }), (text, limit) => {
        const expected = searchEveryTown(towns, foldTownName(text), limit).map(({ id }) => `geonames:${id}`);
        expect(service.searchTowns(text, limit).map(({ id }) => id)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });
});

describe('findTown', () => {
  it.each(['', 'Londo', 'no such town', '\n', 'London\nParis'])('finds nothing for %j', (name) => {
    expect(service.findTown(name)).toBeUndefined();
  });

  it.each([
    ['Bilbao', 'geonames:3128026'],
    ['wien', 'geonames:2761369'],
    ['Donostia', 'geonames:3110044'],
  ])('finds %s, by its whole name in any language', (name, id) => expect(service.findTown(name)?.id).toBe(id));
});

describe('namesAround', () => {
  it('gives no town at sea', () => expect(service.namesAround({ latitude: 0, longitude: -140 })).toEqual([]));

  it('names the part of the city, the city, and how others call it', () => {
    const names = service.namesAround({ latitude: 51.54, longitude: -0.142 });
    expect(names).toEqual(expect.arrayContaining(['London', 'Londres', 'Camden Town']));
  });

  it('names a suburb beside its bigger neighbours', () => {
    const names = service.namesAround({ latitude: 40.305, longitude: -3.732 });
    expect(names).toEqual(expect.arrayContaining(['Madrid', 'Getafe']));
  });

  it('names a town in its own language too', () => {
    expect(service.namesAround({ latitude: 43.32, longitude: -1.98 })).toEqual(
      expect.arrayContaining(['San Sebastián', 'Donostia']),
    );
  });

  it('holds the names of just the towns that a walk over all of them gives', () => {
    const near = fc.nat(towns.length - 1).chain((at) => {
      const shift = fc.double({ min: -0.2, max: 0.2, noNaN: true });
      const { latitude = 0, longitude = 0 } = towns[at] ?? {};
      return fc.tuple(shift, shift).map(([north, east]) => ({
        latitude: Math.max(-90, Math.min(90, latitude + north)),
        longitude: ((longitude + east + 540) % 360) - 180,
      }));
    });
    fc.assert(
      fc.property(near, (position) => {
        const around = townsAround(towns, position);
        const expected = around.flatMap(({ name, name_es, local_name }) => [name, name_es, local_name]);
        const fold = (names: (string | null)[]) =>
          [...new Set(names.flatMap((name) => (name === null ? [] : [foldTownName(name)])))].sort();
        expect(fold(service.namesAround(position))).toEqual(fold(expected));
      }),
      { numRuns: 20 },
    );
  });
});

describe('the other names', () => {
  it('belong to towns that GeoNames has', () => {
    const known = new Set(towns.map(({ id }) => id));
    expect([...readTownNames().keys()].filter((id) => !known.has(id))).toEqual([]);
  });
});

describe('the towns', () => {
  it('have all their names folded as a searched text is', () => {
    const names = towns.flatMap((town) => [...town.names, ...town.other_names]);
    expect(names.filter((name) => name !== foldTownName(name))).toEqual([]);
    const unfound = towns.filter(({ name, names }) => names[0] !== foldTownName(name));
    expect(unfound.map(({ name }) => name)).toEqual([]);
  });

  it('are all given, one after the other', () => {
    expect([...service.allTowns()].map(({ id }) => id)).toEqual(towns.map(({ id }) => id));
  });

  it('come in the order of their importance, historical ones left out', () => {
    expect(towns[0]?.name).toBe('Shanghai');
    const populations = towns.filter(({ is_part }) => !is_part).map(({ population }) => population);
    expect(populations).toEqual(populations.toSorted((a, b) => b - a));
    expect(towns.some(({ name }) => name.endsWith('(historical)') && name.startsWith('Norwood'))).toBe(false);
  });
});
