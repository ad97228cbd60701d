import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTileApp } from '#test/app/tile-app.ts';
import { MAX_TILE_ZOOM, project, type TileAddress } from './archive/tile-address.ts';
import { createTileService } from './service.ts';

const MAX_TILE_BYTES = 30 * 1024;
const CITIES: [name: string, longitude: number, latitude: number][] = [
  ['Barcelona', 2.17, 41.38],
  ['Bilbao', -2.93, 43.26],
  ['Copenhagen', 12.57, 55.67],
  ['Tokyo', 139.69, 35.69],
  ['Paris', 2.35, 48.86],
];

/** The largest tile of each level. */
const HEAVIEST = ['0/0/0', '1/1/0', '2/2/1', '3/4/2', '4/8/4', '5/9/21', '6/36/24', '7/72/49', '8/57/114'].map(
  (path) => `${path}.mvt`,
);

const service = createTileService();
let app: FastifyInstance;

beforeAll(async () => {
  app = await buildTileApp(service);
});

afterAll(() => app.close());

function get(path: string, headers: Record<string, string> = {}) {
  return app.inject({ method: 'GET', url: `/v1/tiles/${path}`, headers });
}

function tileAt(longitude: number, latitude: number, z: number): TileAddress {
  const { x, y } = project(longitude, latitude);
  return { z, x: Math.floor(x * 2 ** z), y: Math.floor(y * 2 ** z) };
}

describe('tiles', () => {
  it.each([
    '9/0/0.mvt',
    '15/1/1.mvt',
    '0/1/0.mvt',
    '3/8/0.mvt',
    '3/0/8.mvt',
    '3/-1/0.mvt',
    '3/0/0.png',
    'a/b/c.mvt',
    '3/1.5/0.mvt',
  ])('refuse the address %s', async (path) => {
    const reply = await get(path);
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'bad_request']);
  });

  it.each(CITIES)('show %s with land and names, in at most 30 KB at every zoom', async (name, longitude, latitude) => {
    for (let z = 0; z <= MAX_TILE_ZOOM; z += 1) {
      const { x, y } = tileAt(longitude, latitude, z);
      const reply = await get(`${z}/${x}/${y}.mvt`);
      expect(reply.statusCode).toBe(200);
      expect(reply.headers['content-type']).toBe('application/vnd.mapbox-vector-tile');
      expect(reply.rawPayload.byteLength).toBeLessThanOrEqual(MAX_TILE_BYTES);
      expect(reply.rawPayload.includes('land')).toBe(true);
      if (z >= 5) expect(reply.rawPayload.includes(name)).toBe(true);
    }
  });

  it('carry Spanish names beside those that differ', async () => {
    const { z, x, y } = tileAt(-0.13, 51.5, 6);
    const { rawPayload } = await get(`${z}/${x}/${y}.mvt`);
    expect([rawPayload.includes('London'), rawPayload.includes('Londres')]).toEqual([true, true]);
  });

  it('come from the cache when they are requested again', async () => {
    const first = await service.getTile({ z: 4, x: 8, y: 6 });
    expect(await service.getTile({ z: 4, x: 8, y: 6 })).toBe(first);
  });

  it('are at most 30 KB even where land and names are densest', async () => {
    for (const path of HEAVIEST) {
      const { rawPayload } = await get(path);
      expect(rawPayload.byteLength).toBeLessThanOrEqual(MAX_TILE_BYTES);
    }
  });

  it('show the borders between countries', async () => {
    const { z, x, y } = tileAt(1.0, 42.7, 6);
    expect((await get(`${z}/${x}/${y}.mvt`)).rawPayload.includes('borders')).toBe(true);
  });

  it('are nothing but water at open sea, and may be kept for a week', async () => {
    const { z, x, y } = tileAt(-140, 0, 7);
    const { statusCode, headers, rawPayload } = await get(`${z}/${x}/${y}.mvt`);
    expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=604800']);
    expect(['sea', 'land', 'places'].map((layer) => rawPayload.includes(layer))).toEqual([true, false, false]);
  });

  it('are not sent again to a client that has them', async () => {
    const first = await get('4/8/5.mvt');
    const again = await get('4/8/5.mvt', { 'if-none-match': String(first.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
});
