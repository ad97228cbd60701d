import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { getMapConfig } from '@sendlap/contract/map/tiles.ts';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StartError } from '#api/platform/start-error.ts';
import { buildTileApp } from '#test/app/tile-app.ts';
import { createMovedTimer } from '#test/moved-timer.ts';
import { encodeTile, openTileHost, PROTOMAPS, type TileHost } from '#test/servers/tile-host.ts';
import { createTileService } from '../service.ts';
import { createTileServer } from './tile-server.ts';

const PAUSE_MS = 1_000;
const DAY_MS = 86_400_000;
const TIMEOUT_MS = 5_000;

let host: TileHost;
let folder: string;
let apps: FastifyInstance[];
let timer: ReturnType<typeof createMovedTimer>;
beforeEach(async () => {
  host = await openTileHost();
  folder = await mkdtemp(join(tmpdir(), 'sendlap-tile-server-'));
  apps = [];
  timer = createMovedTimer();
});
afterEach(async () => {
  for (const app of apps) await app.close();
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

/** A server whose streets come from the host; a second one finds the tiles that the first kept. */
async function serve(): Promise<FastifyInstance> {
  const limits = { timer, pause_ms: PAUSE_MS, timeout_ms: TIMEOUT_MS };
  const app = await buildTileApp(createTileService({ streets: host.template, data_dir: folder, ...limits }));
  apps.push(app);
  host.requests.length = 0;
  return app;
}

function get(app: FastifyInstance, path: string, headers: Record<string, string> = {}) {
  return app.inject({ method: 'GET', url: `/v1/tiles/streets/${path}.mvt`, headers });
}

const tileOf = (path: string) => encodeTile([...host.layers, `of ${path}`]);
const configOf = async (app: FastifyInstance) => {
  const reply = await app.inject({ url: '/v1/tiles' });
  return { streets: getMapConfig.data.parse(reply.json().data).streets, cache: reply.headers['cache-control'] };
};
const down: RequestListener = (_, response) => void response.writeHead(503).end();

describe('a tile', () => {
  test('is fetched once, kept over restarts, and served while the server is down', async () => {
    const app = await serve();
    for (let time = 0; time < 2; time += 1) {
      const reply = await get(app, '14/8261/6050');
      expect(reply.rawPayload.equals(tileOf('14/8261/6050'))).toBe(true);
      expect(reply.headers['content-type']).toBe('application/vnd.mapbox-vector-tile');
    }
    expect(host.requests.map(({ url }) => url)).toEqual(['/map/14/8261/6050.pbf?key=k']);
    host.misbehave = down;
    const restarted = await serve();
    expect((await get(restarted, '14/8261/6050')).rawPayload.equals(tileOf('14/8261/6050'))).toBe(true);
    expect((await get(restarted, '14/8261/6051')).json().code).toBe('unavailable');
    expect((await configOf(restarted)).streets).toMatchObject({ max_zoom: 14 });
  });

  test('requested by many at once is fetched once', async () => {
    const app = await serve();
    const held: ServerResponse[] = [];
    host.misbehave = (_, response) => void held.push(response);
    const replies = Array.from({ length: 20 }, () => get(app, '3/1/1'));
    await expect.poll(() => held.length).toBe(1);
    held[0]?.end(tileOf('3/1/1'));
    for (const reply of await Promise.all(replies)) expect(reply.statusCode).toBe(200);
    expect(host.requests.length).toBe(1);
  });

  test('beyond what many visitors look at is refused while the server is slow', async () => {
    const app = await serve();
    const held: ServerResponse[] = [];
    host.misbehave = (_, response) => void held.push(response);
    const statuses: number[] = [];
    const replies = Array.from({ length: 600 }, async (_, x) => {
      const { statusCode } = await get(app, `10/${x}/1`);
      statuses.push(statusCode);
    });
    await expect.poll(() => statuses.length).toBe(84);
    await expect.poll(() => held.length).toBe(16);
    expect(new Set(statuses)).toEqual(new Set([503]));
    host.misbehave = undefined;
    for (const response of held) response.end(tileOf('10/1/1'));
    await Promise.all(replies);
    expect(statuses.filter((status) => status === 200)).toHaveLength(516);
  });

  test('is requested without anything of the visitor', async () => {
    const app = await serve();
    const visitor = {
      ...{ cookie: 'secret=1', referer: 'https://club.example/private', authorization: 'Bearer secret' },
      ...{
        'x-forwarded-for': '203.0.113.9',
        'user-agent': 'A phone',
        'accept-language': 'eu',
        origin: 'https://x.example',
      },
    };
    await get(app, '3/1/1', visitor);
    expect(host.requests[0]?.headers).toEqual({
      ...{ 'user-agent': 'Sendlap', accept: '*/*', 'accept-encoding': 'gzip' },
      ...{ host: new URL(host.template).host, connection: 'keep-alive' },
    });
  });

  test('that the server packs is sent packed, and without data is empty', async () => {
    const app = await serve();
    host.misbehave = (_, response) => void response.end(gzipSync(tileOf('3/1/1')));
    const packed = await get(app, '3/1/1', { 'accept-encoding': 'gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect((await get(app, '3/1/1')).rawPayload.equals(tileOf('3/1/1'))).toBe(true);
    for (const [status, path] of [
      [204, '3/1/2'],
      [404, '3/1/3'],
      [410, '3/1/4'],
      [200, '3/1/5'],
    ] as const) {
      host.misbehave = (_, response) => void response.writeHead(status).end();
      expect((await get(app, path)).statusCode).toBe(204);
    }
  });

  test('deeper than the server has is empty, without a request', async () => {
    host.tile_json = { tiles: [host.template], maxzoom: 13, vector_layers: [{ id: 'roads' }] };
    const app = await serve();
    expect((await get(app, '14/8261/6050')).statusCode).toBe(204);
    expect(host.requests).toEqual([]);
  });

  test('is requested again after a week, and the kept one is served where that fails', async () => {
    let shift_ms = 0;
    const now = () => new Date(Date.now() + shift_ms);
    const streets = createTileServer(host.template, { folder, timer, now, pause_ms: PAUSE_MS });
    const address = { z: 3, x: 1, y: 1 };
    const old = await streets.getTile(address);
    host.layers = PROTOMAPS;
    expect(await streets.getTile(address)).toEqual(old);
    shift_ms = 8 * DAY_MS;
    host.misbehave = down;
    expect(await streets.getTile(address)).toEqual(old);
    host.misbehave = undefined;
    timer.advance(PAUSE_MS);
    expect(Buffer.from((await streets.getTile(address)).bytes).equals(tileOf('3/1/1'))).toBe(true);
  });

  test.each<[string, RequestListener]>([
    ['garbage', (_, response) => void response.end('<html>Sign in</html>')],
    ['JSON', (_, response) => void response.end('{"error":"no"}')],
    ['a layer without a name', (_, response) => void response.end(Buffer.of(26, 2, 120, 2))],
    ['half a tile', (_, response) => void response.end(encodeTile(['water']).subarray(0, -3))],
    ['broken gzip', (_, response) => void response.end(Buffer.concat([Buffer.of(0x1f, 0x8b), Buffer.alloc(50)]))],
    ['a gzip bomb', (_, response) => void response.end(gzipSync(Buffer.alloc(20_000_000)))],
    ['3 MB', (_, response) => void response.end(Buffer.alloc(3_000_000))],
    ['a status of its own', (_, response) => void response.writeHead(418).end()],
    ['a redirect to nothing', (_, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end()],
    ['a redirect to itself', ({ url }, response) => void response.writeHead(302, { location: url }).end()],
  ])('that is %s is refused, not kept, and not requested again at once; others are served', async (_, listener) => {
    const app = await serve();
    host.misbehave = listener;
    expect((await get(app, '3/1/1')).json().code).toBe('unavailable');
    const before = host.requests.length;
    expect((await get(app, '3/1/1')).json().code).toBe('unavailable');
    expect(host.requests.length).toBe(before);
    host.misbehave = undefined;
    expect((await get(app, '3/1/2')).statusCode).toBe(200);
    timer.advance(PAUSE_MS);
    expect((await get(app, '3/1/1')).rawPayload.equals(tileOf('3/1/1'))).toBe(true);
  });

  test.each<[string, RequestListener]>([
    ['never answers', () => timer.advance(TIMEOUT_MS)],
    ['hangs up', (request) => void request.socket.destroy()],
    ['refuses the key', (_, response) => void response.writeHead(403).end()],
    ['has too many requests', (_, response) => void response.writeHead(429).end()],
    ['fails', down],
  ])('of a server that %s is refused, and the server is left alone for a moment', async (_, listener) => {
    const app = await serve();
    host.misbehave = listener;
    for (const path of ['3/1/1', '3/1/2', '3/1/3']) expect((await get(app, path)).statusCode).toBe(503);
    expect(host.requests.length).toBe(1);
    host.misbehave = undefined;
    timer.advance(PAUSE_MS);
    expect((await get(app, '3/1/1')).statusCode).toBe(200);
  });

  test('follows a redirect of the server', async () => {
    const app = await serve();
    const { host: name } = new URL(host.template);
    host.misbehave = ({ url }, response) =>
      url?.includes('/3/1/1.')
        ? void response.writeHead(302, { location: `http://${name}/map/3/1/7.pbf?key=k` }).end()
        : void response.end(tileOf('3/1/7'));
    expect((await get(app, '3/1/1')).rawPayload.equals(tileOf('3/1/7'))).toBe(true);
  });
});

describe('the description of the map', () => {
  test('is the TileJSON beside the tiles', async () => {
    host.tile_json = {
      ...{ tiles: [host.template], minzoom: 2, maxzoom: 15, bounds: [1.4, 42.4, 1.8, 42.7] },
      ...{ attribution: '<a href="x">© OpenStreetMap</a>', vector_layers: [{ id: 'transportation' }] },
    };
    expect((await configOf(await serve())).streets).toEqual({
      min_zoom: 2,
      max_zoom: 15,
      bounds: { west: 1.4, south: 42.4, east: 1.8, north: 42.7 },
      attribution: '© OpenStreetMap',
    });
  });

  test.each([
    ['OpenMapTiles', ['water', 'boundary']],
    ['Protomaps', ['earth']],
  ])('without a TileJSON is found by the layers of %s', async (_, layers) => {
    host.layers = layers;
    expect((await configOf(await serve())).streets).toMatchObject({ min_zoom: 0, max_zoom: 14, attribution: '' });
  });

  test.each<[string, () => void, string]>([
    [
      'of another schema',
      () => {
        host.layers = ['streets', 'ocean'];
      },
      'its tiles have the layers of neither OpenMapTiles nor Protomaps',
    ],
    [
      'whose TileJSON names layers of another schema',
      () => {
        host.tile_json = { tiles: ['x'], vector_layers: [{ id: 'streets' }] };
      },
      'its tiles have the layers of neither OpenMapTiles nor Protomaps',
    ],
    [
      'counted from the south',
      () => {
        host.tile_json = { tiles: ['x'], scheme: 'tms' };
      },
      'its tiles are counted from the south (TMS)',
    ],
    [
      'that are not there',
      () => {
        host.misbehave = (_, response) => void response.writeHead(404).end();
      },
      'the host has no tile 0/0/0, and no TileJSON beside it',
    ],
    [
      'that are pages',
      () => {
        host.misbehave = (_, response) => void response.end('<p>');
      },
      'the host sends something that is not a vector tile',
    ],
  ])('tiles %s are refused at the start', async (_, prepare, reason) => {
    prepare();
    const streets = createTileServer(host.template, { folder, timer });
    await expect(streets.open()).rejects.toThrow(new StartError(`MAP_STREETS: ${reason}`));
  });

  test('is missing, and not kept by browsers, until a server that is down at the first start comes back', async () => {
    host.misbehave = down;
    const app = await serve();
    expect(await configOf(app)).toEqual({ streets: null, cache: 'no-store' });
    host.misbehave = undefined;
    timer.advance(PAUSE_MS);
    expect((await configOf(app)).streets).not.toBeNull();
  });
});
