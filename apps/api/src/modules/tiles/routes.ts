import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#api/platform/errors.ts';
import { createTileService, type TileService } from './service.ts';
import type { TileAddress } from './tile-address.ts';

const MAX_AGE_S = 7 * 24 * 3600;

interface TileParams {
  z: string;
  x: string;
  /** `<y>.mvt` */
  file: string;
}

/**
 * GET /v1/tiles/{z}/{x}/{y}.mvt: public vector tiles, kept by browsers for 7 days and revalidated by ETag.
 * 400 for an address that no tile has. Ends the service with the server.
 */
export function mountTiles(app: FastifyInstance, service: TileService = createTileService()): void {
  app.addHook('onListen', async () => service.warmUp());
  app.addHook('onClose', async () => service.close());
  app.get<{ Params: TileParams }>('/v1/tiles/:z/:x/:file', { schema: { hide: true } }, async (request, reply) =>
    sendTile(request, reply, await service.getTile(readAddress(request.params))),
  );
}

function readAddress({ z, x, file }: TileParams): TileAddress {
  const [match, zoom, column, row] = /^(\d{1,3})\/(\d{1,3})\/(\d{1,3})\.mvt$/.exec(`${z}/${x}/${file}`) ?? [];
  if (match === undefined) throw new AppError('bad_request', 'The address of a tile is {z}/{x}/{y}.mvt');
  return { z: Number(zoom), x: Number(column), y: Number(row) };
}

function sendTile(request: FastifyRequest, reply: FastifyReply, tile: Uint8Array): FastifyReply {
  reply.header('cache-control', `public, max-age=${MAX_AGE_S}`);
  const etag = `"${createHash('sha256').update(tile).digest('base64url').slice(0, 22)}"`;
  reply.header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply
    .type('application/vnd.mapbox-vector-tile')
    .send(Buffer.from(tile.buffer, tile.byteOffset, tile.byteLength));
}
