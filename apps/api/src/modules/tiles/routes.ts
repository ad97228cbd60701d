import { createHash } from 'node:crypto';
import { getMapConfig, STREET_TILES_PATH, TILES_PATH } from '@sendlap/contract/map/tiles.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Compression } from 'pmtiles';
import * as z from 'zod/mini';
import { acceptsGzip } from '#api/http/compression/compress-replies.ts';
import { describeFileRoute } from '#api/http/document/describe-file-route.ts';
import type { Route } from '#api/http/route.ts';
import { AppError } from '#api/platform/errors.ts';
import { decompress } from './archive/checked-reader.ts';
import type { TileAddress } from './archive/tile-address.ts';
import type { MapTile } from './archive/tile-source.ts';
import type { TileService } from './service.ts';

const TILE_TYPE = 'application/vnd.mapbox-vector-tile';
const MAX_AGE_S = 7 * 24 * 3600;

interface TileParams {
  z: string;
  x: string;
  /** `<y>.mvt` */
  file: string;
}

/**
 * The map's vector tiles: public, cached by browsers for 7 days and revalidated by ETag. 400 for an address without a
 * tile; 204 where the operator's map has no data, which MapLibre draws as an empty tile, while it reports a 404 as an
 * error again and again. Opens the operator's map when the server starts.
 */
export function mountTiles(app: FastifyInstance, route: Route, service: TileService): void {
  app.addHook('onReady', async () => {
    const problem = await service.openStreets();
    if (problem)
      app.log.warn({ err: problem }, 'the streets of the map cannot be read; it is tried again when maps are drawn');
  });
  route(getMapConfig, async (_, __, { request, reply }) => {
    const { config, is_complete } = await service.getMapConfig();
    if (!is_complete) {
      reply.header('cache-control', 'no-store');
      return config;
    }
    // Weak: the same description, in whatever encoding it is sent.
    const etag = `W/${etagOf(JSON.stringify(config))}`;
    reply.header('etag', etag);
    if (request.headers['if-none-match'] === etag) reply.code(304);
    return config;
  });
  const world = { schema: describeTiles('A vector tile of the world; `file`: {y}.mvt') };
  const streets = { schema: describeTiles("A vector tile of the operator's map; `file`: {y}.mvt") };
  app.get<{ Params: TileParams }>(`${TILES_PATH}/:z/:x/:file`, world, async (request, reply) =>
    sendMapTile(request, reply, await service.getTile(parseAddress(request.params))),
  );
  app.get<{ Params: TileParams }>(`${STREET_TILES_PATH}/:z/:x/:file`, streets, async (request, reply) =>
    sendMapTile(request, reply, await service.getStreetTile(parseAddress(request.params))),
  );
}

async function sendMapTile(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, gzipped }: MapTile,
): Promise<FastifyReply> {
  reply.header('vary', 'accept-encoding');
  if (!gzipped) return sendTile(request, reply, bytes);
  if (!acceptsGzip(request))
    return sendTile(request, reply, new Uint8Array(await decompress(bytes.buffer, Compression.Gzip)));
  reply.header('content-encoding', 'gzip');
  return sendTile(request, reply, bytes);
}

function describeTiles(summary: string) {
  const content = { [TILE_TYPE]: z.unknown() };
  return describeFileRoute({ path: TILES_PATH, summary, access: 'anyone', content, errors: ['not_found'] });
}

function parseAddress({ z, x, file }: TileParams): TileAddress {
  const [match, zoom, column, row] = /^(\d{1,2})\/(\d{1,8})\/(\d{1,8})\.mvt$/.exec(`${z}/${x}/${file}`) ?? [];
  if (match === undefined) throw new AppError('bad_request', 'The address of a tile is {z}/{x}/{y}.mvt');
  return { z: Number(zoom), x: Number(column), y: Number(row) };
}

function sendTile(request: FastifyRequest, reply: FastifyReply, tile: Uint8Array): FastifyReply {
  reply.header('cache-control', `public, max-age=${MAX_AGE_S}`);
  if (tile.byteLength === 0) return reply.code(204).send();
  const etag = etagOf(tile);
  reply.header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.removeHeader('content-encoding').code(304).send();
  return reply.type(TILE_TYPE).send(Buffer.from(tile.buffer, tile.byteOffset, tile.byteLength));
}

function etagOf(content: string | Uint8Array): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}
