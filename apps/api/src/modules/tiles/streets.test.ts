import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { getMapConfig } from '@sendlap/contract/map/tiles.ts';
import type { FastifyInstance } from 'fastify';
import { Compression, PMTiles } from 'pmtiles';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ArchiveOptions, writeArchive } from '#build/write-archive.ts';
import { buildTileApp } from '#test/app/tile-app.ts';
import { type ArchiveSources, answerRange, createArchiveSources } from '#test/archive-sources.ts';
import { createMovedTimer } from '#test/moved-timer.ts';
import { describeUnlessMissing } from '#test/skip-without.ts';
import { createTileService } from './service.ts';

const TILES = [
  { z: 0, x: 0, y: 0, bytes: Buffer.from('the whole world') },
  { z: 2, x: 1, y: 3, bytes: Buffer.from('a quarter of it') },
  { z: 5, x: 16, y: 12, bytes: Buffer.from('a town '.repeat(500)) },
  { z: 5, x: 17, y: 12, bytes: Buffer.from('its neighbour') },
];
/** For a host that never answers: no test may depend on the speed of a host. */
const SHORT_TIMEOUT_MS = 150;
const PAUSE_MS = 1_000;
/** A fake clock: advances only when a test lets a pause pass. */
const timer = createMovedTimer();

let sources: ArchiveSources;
const apps: FastifyInstance[] = [];
beforeAll(async () => {
  sources = await createArchiveSources();
});
afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));
afterAll(() => sources.close());

/** `timeout_ms`: time limit of a host; default as in production. */
async function serve(streets: string | undefined, timeout_ms?: number): Promise<FastifyInstance> {
  const limits = { timer, pause_ms: PAUSE_MS, ...(timeout_ms === undefined ? {} : { timeout_ms }) };
  const app = await buildTileApp(createTileService({ streets, ...limits }));
  apps.push(app);
  return app;
}

const serveFile = async (options: Partial<ArchiveOptions> = {}) =>
  serve(await sources.fileOf(writeArchive({ tiles: TILES, ...options })));

function get(app: FastifyInstance, path: string, headers: Record<string, string> = {}) {
  return app.inject({ method: 'GET', url: `/v1/tiles/streets/${path}`, headers });
}

function damagedAtTheEnd(): Buffer {
  const bytes = writeArchive({ tiles: TILES });
  return bytes.fill(0, bytes.length - 12);
}

async function configOf(app: FastifyInstance) {
  const reply = await app.inject({ method: 'GET', url: '/v1/tiles' });
  return getMapConfig.data.parse(reply.json().data);
}

describe('GET /v1/tiles/streets/{z}/{x}/{y}.mvt', () => {
  it('answers 404 on a server without such a map', async () => {
    const reply = await get(await serve(undefined), '0/0/0.mvt');
    expect([reply.statusCode, reply.json().code]).toEqual([404, 'not_found']);
  });

  it.each([
    '25/0/0.mvt',
    '2/4/0.mvt',
    '2/0/4.mvt',
    '-1/0/0.mvt',
    '1/0/0.png',
    'a/b/c.mvt',
    '1/0.5/0.mvt',
    '999/0/0.mvt',
  ])('refuses the address %s', async (path) => {
    const reply = await get(await serveFile(), path);
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'bad_request']);
  });

  it.each<[string, Partial<ArchiveOptions>]>([
    ['packed with gzip', {}],
    ['not packed', { compression: Compression.None }],
    ['with directories below directories', { leaf_entries: 2 }],
  ])('gives the tiles of an archive %s', async (_, options) => {
    const app = await serveFile(options);
    for (const { z, x, y, bytes } of TILES) {
      const reply = await get(app, `${z}/${x}/${y}.mvt`);
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/vnd.mapbox-vector-tile']);
      expect(reply.headers['cache-control']).toBe('public, max-age=604800');
      expect(reply.rawPayload.equals(bytes)).toBe(true);
    }
  });

  it('gives them packed to a client that takes gzip, and unpacked to others', async () => {
    const app = await serveFile();
    const bytesOf = async (accept: string) => {
      const { headers, rawPayload } = await get(app, '5/16/12.mvt', { 'accept-encoding': accept });
      expect(headers.vary).toBe('accept-encoding');
      return headers['content-encoding'] === 'gzip' ? gunzipSync(rawPayload) : rawPayload.length;
    };
    for (const accept of ['gzip', 'br, gzip;q=0.5, *', 'deflate,GZIP']) {
      expect(await bytesOf(accept)).toEqual(TILES[2]?.bytes);
    }
    for (const accept of ['', 'br', 'gzip;q=0', 'gzip;q=0.0, br', 'xgzip']) expect(await bytesOf(accept)).toBe(3500);
  });

  it.each(['gzip', 'identity'])('does not send them again to a client that has them (%s)', async (accept) => {
    const app = await serveFile();
    const { headers } = await get(app, '0/0/0.mvt', { 'accept-encoding': accept });
    const again = await get(app, '0/0/0.mvt', { 'accept-encoding': accept, 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body, again.headers['content-encoding']]).toEqual([304, '', undefined]);
  });

  it.each(['1/0/0.mvt', '5/18/12.mvt', '6/0/0.mvt', '24/16777215/16777215.mvt'])(
    'answers 204 for %s, of which the map has nothing',
    async (path) => {
      const reply = await get(await serveFile(), path);
      expect([reply.statusCode, reply.body, reply.headers['cache-control']]).toEqual([
        204,
        '',
        'public, max-age=604800',
      ]);
    },
  );

  it.each([
    ['ends too early', 'gzip', writeArchive({ tiles: TILES }).subarray(0, -5)],
    ['is damaged', 'gzip', damagedAtTheEnd()],
    ['is damaged', 'identity', damagedAtTheEnd()],
  ])('answers 503 for a tile that %s (%s), and gives the others', async (_, accept, bytes) => {
    const app = await serve(await sources.fileOf(bytes));
    const broken = await get(app, '5/17/12.mvt', { 'accept-encoding': accept });
    const whole = await get(app, '0/0/0.mvt');
    expect([broken.statusCode, broken.json().code, whole.statusCode]).toEqual([503, 'unavailable', 200]);
  });
});

describe('a map on another host', () => {
  it('gives the same tiles', async () => {
    const archive = { bytes: writeArchive({ tiles: TILES, leaf_entries: 1 }), etag: '"1"' };
    const app = await serve(await sources.hostOf(answerRange(() => archive)));
    for (const { z, x, y, bytes } of TILES)
      expect((await get(app, `${z}/${x}/${y}.mvt`)).rawPayload.equals(bytes)).toBe(true);
  });

  it('is asked once for a tile', async () => {
    let asked = 0;
    const answer = answerRange(() => ({ bytes: writeArchive({ tiles: TILES }), etag: '"1"' }));
    const app = await serve(
      await sources.hostOf((request, response) => {
        asked += 1;
        answer(request, response);
      }),
    );
    await get(app, '5/16/12.mvt');
    const before = asked;
    await Promise.all([get(app, '5/16/12.mvt'), get(app, '5/16/12.mvt')]);
    expect(asked).toBe(before);
  });

  it('is read again when it was replaced', async () => {
    let archive = { bytes: writeArchive({ tiles: TILES }), etag: '"1"' };
    const app = await serve(await sources.hostOf(answerRange(() => archive)));
    await get(app, '0/0/0.mvt');
    const tiles = [{ z: 5, x: 16, y: 12, bytes: Buffer.from('rebuilt') }];
    archive = { bytes: writeArchive({ tiles }), etag: '"2"' };
    expect((await get(app, '5/16/12.mvt')).body).toBe('rebuilt');
    expect((await get(app, '0/0/0.mvt')).statusCode).toBe(204);
  });

  it('does not stop the server from starting while it is unreachable, and is shown when it is back', async () => {
    let away = true;
    const answer = answerRange(() => ({ bytes: writeArchive({ tiles: TILES }), etag: '"1"' }));
    const url = await sources.hostOf((request, response) =>
      away ? response.writeHead(500).end() : answer(request, response),
    );
    const app = await serve(url);
    const refused = await get(app, '0/0/0.mvt');
    expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([
      503,
      'unavailable',
      '1',
    ]);
    const config = await app.inject({ method: 'GET', url: '/v1/tiles' });
    expect([config.json().data.streets, config.headers['cache-control']]).toEqual([null, 'no-store']);
    away = false;
    timer.advance(PAUSE_MS);
    expect((await get(app, '0/0/0.mvt')).body).toBe('the whole world');
    expect((await configOf(app)).streets).not.toBeNull();
  });

  it.each<[string, RequestListener]>([
    ['never answers', () => undefined],
    [
      'begins to answer and stops',
      (_, response) => void response.writeHead(206, { 'content-range': 'bytes 0-9/99' }).write('PMT'),
    ],
    ['hangs up', (request) => void request.socket.destroy()],
  ])('is given up where its host %s', async (_, listener) => {
    const app = await serve(await sources.hostOf(listener), SHORT_TIMEOUT_MS);
    expect((await get(app, '0/0/0.mvt')).statusCode).toBe(503);
  });

  it('is not asked again by every tile while it is away', async () => {
    let asked = 0;
    const url = await sources.hostOf((_, response) => {
      asked += 1;
      response.writeHead(502).end();
    });
    const service = createTileService({ streets: url, pause_ms: 60_000 });
    expect(await service.openStreets()).toBeInstanceOf(Error);
    const tries = [1, 2, 3].map((x) => service.getStreetTile({ z: 2, x, y: 0 }));
    await expect(Promise.any(tries)).rejects.toThrow();
    expect(asked).toBe(1);
  });
});

describe('GET /v1/tiles', () => {
  it('says that there are no streets without a map of the operator', async () => {
    expect(await configOf(await serve(undefined))).toEqual({
      world: { max_zoom: 8, attribution: 'Natural Earth, GeoNames (CC BY 4.0)' },
      streets: null,
    });
  });

  it('has the depth, the bounds and the authors of the map, as text', async () => {
    const metadata = { attribution: '<a href="https://osm.org/copyright">&copy; OpenStreetMap</a> <script>' };
    const app = await serveFile({ metadata, bounds: [1.5, 42, 1.75, 43] });
    expect((await configOf(app)).streets).toEqual({
      min_zoom: 0,
      max_zoom: 5,
      bounds: { west: 1.5, south: 42, east: 1.75, north: 43 },
      attribution: '© OpenStreetMap',
    });
  });

  it('takes invalid bounds for the whole world, and an invalid attribution for an empty one', async () => {
    const streets = (await configOf(await serveFile({ metadata: { attribution: 5 }, bounds: [3, 4, 1, 2] }))).streets;
    expect(streets).toMatchObject({ bounds: { west: -180, south: -90, east: 180, north: 90 }, attribution: '' });
  });

  it('answers 304 to a client with the current description', async () => {
    const app = await serveFile();
    const { headers } = await app.inject({ method: 'GET', url: '/v1/tiles' });
    expect(headers['cache-control']).toBe('public, max-age=3600');
    const again = await app.inject({
      method: 'GET',
      url: '/v1/tiles',
      headers: { 'if-none-match': String(headers.etag) },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
});

const real = process.env.CENTERS_DATA_DIR;

describeUnlessMissing(real ? undefined : 'CENTERS_DATA_DIR', 'the map of Andorra', () => {
  it('gives each of its tiles as the library reads it, from a file and from a host', async () => {
    const path = join(real ?? '', 'andorra.pmtiles');
    const bytes = await readFile(path);
    const library = new PMTiles({
      getKey: () => 'andorra',
      getBytes: async (offset, length) => ({ data: Uint8Array.from(bytes.subarray(offset, offset + length)).buffer }),
    });
    const fromFile = await serve(path);
    const fromHost = await serve(await sources.hostOf(answerRange(() => ({ bytes, etag: '"1"' }))));
    let compared = 0;
    for (let x = 8256; x <= 8273; x += 1) {
      for (let y = 6040; y <= 6058; y += 1) {
        const expected = Buffer.from((await library.getZxy(14, x, y))?.data ?? new ArrayBuffer(0));
        for (const app of [fromFile, fromHost]) {
          const { statusCode, rawPayload } = await get(app, `14/${x}/${y}.mvt`);
          expect([statusCode, rawPayload.equals(expected)]).toEqual([expected.length > 0 ? 200 : 204, true]);
        }
        if (expected.length > 0) compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(200);
    expect((await configOf(fromFile)).streets).toEqual({
      min_zoom: 0,
      max_zoom: 14,
      bounds: { west: 1.412368, south: 42.4276, east: 1.787481, north: 42.65717 },
      attribution: '© OpenStreetMap contributors (ODbL)',
    });
  });
});
