import {
  FoundSportCenter,
  getSportCenterFilterOptions,
  listRecommendedSportCenters,
  listSportCenters,
  SportCenter,
  searchSportCenters,
} from '@sendlap/contract/sport-centers.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { addCenters, buildCenterScene, type CenterScene, type CenterSeed } from '#test/scenes/center-scene.ts';
import { createSportCenterService } from './service.ts';

const LONG_NAME = 'Asociación de amigos de la escalada y de la natación de la ciudad';
const SEEDS: CenterSeed[] = [
  { name: 'Sharma Climbing', city: 'Barcelona', country: 'ES', at: [41.3986, 2.2006], sports: ['climbing'] },
  { name: 'Piscines Picornell', city: 'Barcelona', country: 'ES', at: [41.3647, 2.1519], sports: ['swimming'] },
  { name: 'Club Natació', city: 'BARCELONA', country: 'ES', at: [41.38, 2.19], sports: ['swimming'], is_private: true },
  { name: 'Piugaz', city: 'Bilbao', country: 'ES', at: [43.27, -2.94], sports: ['climbing'], is_private: false },
  { name: 'Both', country: 'DK', at: [55.66, 12.57], sports: ['climbing', 'swimming'], other_names: ['50%_off\\'] },
  { name: 'Gone', city: 'Bilbao', country: 'ES', at: [43.26, -2.93], sports: ['climbing'], closed: true },
  { name: `${LONG_NAME} A`, at: [0, 0], sports: ['climbing'] },
  { name: `${LONG_NAME} B`, at: [0, 0], sports: ['climbing'] },
  { name: `${LONG_NAME} C`, at: [0, 0], sports: ['climbing'] },
  { name: 'Percent', city: '100% Wall_', at: [1, 1], sports: ['climbing'] },
];
const HALLS: CenterSeed[] = Array.from({ length: 60 }, (_, at) => ({
  name: `Hall ${at % 7}`,
  at: [36 + (at % 8) / 100, -3 - (at % 5) / 100],
  sports: at % 3 === 0 ? ['swimming'] : ['climbing'],
}));

let scene: CenterScene;
let get: CenterScene['get'];
let collect: CenterScene['collect'];

beforeAll(async () => {
  scene = await buildCenterScene([...SEEDS, ...HALLS]);
  ({ get, collect } = scene);
});

afterAll(() => scene.close());

describe('reads of sport centers', () => {
  it.each([1, 7, 100])('visit every open center exactly once in pages of %i [spec 7.centers.list]', async (limit) => {
    const ids = (await collect(`/v1/sport-centers?limit=${limit}`)).map(({ id }) => id);
    expect(ids).toHaveLength(SEEDS.length - 1 + HALLS.length);
    expect(new Set(ids).size).toBe(ids.length);
    const near = await collect(`/v1/sport-centers/search?latitude=36&longitude=-3&limit=${limit}`);
    expect(new Set(near.map(({ id }) => id))).toEqual(new Set(ids));
    expect(near).toHaveLength(ids.length);
  });

  it('are in the shape of the contract, field by field [spec 3.sport-center.fields, 3.sport-center.facilities]', async () => {
    const here = 'latitude=41.4&longitude=2.1';
    const [first] = await collect('/v1/sport-centers/search?q=sharma');
    const shapes: [string, z.ZodMiniType][] = [
      ['/v1/sport-centers?limit=3', listSportCenters.data],
      [`/v1/sport-centers/search?${here}&limit=3`, searchSportCenters.data],
      ['/v1/sport-centers/search?q=nothing', searchSportCenters.data],
      ['/v1/sport-centers/filter-options', getSportCenterFilterOptions.data],
      [`/v1/sport-centers/${first?.id}`, SportCenter],
      [`/v1/sports/climbing/find?${here}`, z.array(FoundSportCenter)],
      [`/v1/sport-centers/recommended?${here}`, listRecommendedSportCenters.data],
    ];
    for (const [url, shape] of shapes) {
      const { status, body, headers } = await get(url);
      expect([status, headers['content-type'], body.success]).toEqual([200, 'application/json; charset=utf-8', true]);
      // Strict: no field beyond the contract's schema.
      expect(z.parse(shape, body.data), url).toEqual(body.data);
    }
  });

  it('know climbing and swimming and no other sport [spec 1.centers.sports, 3.sport-center.types]', async () => {
    const { body } = await get('/v1/sport-centers/filter-options');
    expect(body.data.sports.map(({ value }: { value: string }) => value).sort()).toEqual(['climbing', 'swimming']);
    const chess = { name: 'Chess club', at: [3, 3] as [number, number], sports: ['chess'] };
    await expect(addCenters(scene.database, [chess])).rejects.toThrow('sport_facilities_type_check');
    await scene.database.deleteFrom('sport_centers').where('name', '=', chess.name).execute();
    await scene.service.refresh();
  });

  it('find the nearest of a sport [spec 7.centers.find]', async () => {
    const { body } = await get('/v1/sports/climbing/find?latitude=41.39&longitude=2.19&limit=2');
    expect(body.data.map(({ name }: FoundSportCenter) => name)).toEqual(['Sharma Climbing', 'Piugaz']);
    expect(body.data[0].distance_km).toBeCloseTo(1.3, 1);
    const near = await get('/v1/sports/climbing/find?latitude=41.39&longitude=2.19&radius_km=5');
    expect(near.body.data).toHaveLength(1);
  });

  it('find words in names, other names, cities and towns, and the city only in the city [spec 5.centers.city]', async () => {
    const names = async (query: string) =>
      (await collect(`/v1/sport-centers/search?${query}`)).map((center) => (center as SportCenter).name);
    expect(await names('q=londres')).toEqual(['Both']);
    expect(await names('q=LONDRÉS+bo')).toEqual(['Both']);
    expect(await names('city=london')).toEqual([]);
    expect(await names('city=ARCEL')).toEqual(['Club Natació', 'Piscines Picornell', 'Sharma Climbing']);
    expect(await names('city=%25+wall_')).toEqual(['Percent']);
    expect(await names('city=_all')).toEqual([]);
    expect(await names('city=%25')).toEqual(['Percent']);
    expect(await names('q=50%25')).toEqual(['Both']);
    expect(await names('q=b')).toContain('Both');
    expect(await names('q=%5C')).toHaveLength(SEEDS.length - 1 + HALLS.length);
  });

  it('count the values of each filter; spellings of a city count together [spec 7.centers.filter-options]', async () => {
    const { body } = await get('/v1/sport-centers/filter-options');
    expect(body.data.cities).toEqual([
      { value: 'Barcelona', count: 3 },
      { value: '100% Wall_', count: 1 },
      { value: 'Bilbao', count: 1 },
    ]);
    expect(body.data.countries).toEqual([
      { value: 'ES', count: 4 },
      { value: 'DK', count: 1 },
    ]);
    expect(body.data.sports).toEqual([
      { value: 'climbing', count: 47 },
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

  it('give a closed center by its id only [spec 7.centers.detail]', async () => {
    const { id } = await scene.database
      .selectFrom('sport_centers')
      .select('id')
      .where('name', '=', 'Gone')
      .executeTakeFirstOrThrow();
    const { body } = await get(`/v1/sport-centers/${id}`);
    expect(body.data).toMatchObject({ name: 'Gone', closed_at: '2026-01-01T00:00:00.000Z' });
    expect((await get('/v1/sport-centers/search?q=gone')).body.data).toEqual({
      items: [],
      next_cursor: null,
      total: 0,
      total_is_lower_bound: false,
    });
    const near = await get('/v1/sports/climbing/find?latitude=43.26&longitude=-2.93&limit=1');
    expect(near.body.data[0].name).toBe('Piugaz');
    expect(scene.service.nearestWithin({ latitude: 43.26, longitude: -2.93 }, 0.1)).toBeUndefined();
    expect(scene.service.nearestWithin({ latitude: 43.27, longitude: -2.94 }, 0.1)).toEqual({
      id: near.body.data[0].id,
      distance_km: 0,
    });
  });

  it('continue after a center that has gone or was renamed since the last page', async () => {
    const [before] = await addCenters(scene.database, [{ name: 'Hall 3', at: [36.001, -3], sports: ['climbing'] }]);
    await scene.service.refresh();
    const list = '/v1/sport-centers/search?q=hall';
    const all = await collect(`${list}&limit=100`);
    const at = all.findIndex(({ id }) => id === before);
    const { body } = await get(`${list}&limit=${at + 1}`);
    const near = '/v1/sport-centers/search?q=hall&latitude=36.001&longitude=-3';
    const nearest = await get(`${near}&limit=1`);
    expect(nearest.body.data.items[0].id).toBe(before);
    const rest = async () => {
      const names = await get(`${list}&limit=100&cursor=${body.data.next_cursor}`);
      const distances = await get(`${near}&limit=100&cursor=${nearest.body.data.next_cursor}`);
      return [names, distances].map((reply) => reply.body.data.items.map(({ id }: { id: string }) => id));
    };
    const expected = [
      all.slice(at + 1).map(({ id }) => id),
      (await collect(`${near}&limit=9`)).slice(1).map(({ id }) => id),
    ];
    expect(await rest()).toEqual(expected);
    await scene.database
      .deleteFrom('sport_centers')
      .where('id', '=', before ?? '')
      .execute();
    await scene.service.refresh();
    expect(await rest()).toEqual(expected);
  });

  it('answer 304 to a caller with the same data, and in full once it changed', async () => {
    const url = '/v1/sport-centers/search?q=newcomer';
    const first = await get(url);
    const etag = String(first.headers.etag);
    const again = await get(url, { 'if-none-match': etag });
    expect([again.status, again.body, again.headers.etag]).toEqual([304, undefined, etag]);
    expect((await get('/v1/sport-centers/search?q=other', { 'if-none-match': etag })).status).toBe(200);

    const [id = ''] = await addCenters(scene.database, [{ name: 'Newcomer', at: [1, 1], sports: ['climbing'] }]);
    await scene.service.refresh();
    const changed = await get(url, { 'if-none-match': etag });
    expect([changed.status, changed.body.data.total]).toEqual([200, 1]);
    expect(scene.service.getById(id)?.name).toBe('Newcomer');
  });

  it('offer a city as a filter once its first center exists', async () => {
    const cities = async () => {
      const { body } = await get('/v1/sport-centers/filter-options');
      return body.data.cities.map(({ value }: { value: string }) => value);
    };
    expect(await cities()).not.toContain('Getxo');
    await addCenters(scene.database, [{ name: 'Fadura', at: [43.3, -3], sports: ['swimming'], city: 'Getxo' }]);
    await scene.service.refresh();
    expect(await cities()).toContain('Getxo');
  });

  it('follow a change that another process made', async () => {
    const other = await createSportCenterService({ database: scene.database, poll_ms: 20 });
    const [id = ''] = await addCenters(scene.database, [{ name: 'Elsewhere', at: [2, 2], sports: ['swimming'] }]);
    await expect.poll(() => other.getById(id)?.name).toBe('Elsewhere');
    other.close();
  });
});
