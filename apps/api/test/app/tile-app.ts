import type { FastifyInstance } from 'fastify';
import { createRoute } from '#api/http/route.ts';
import { createServer } from '#api/http/server.ts';
import { mountTiles } from '#api/modules/tiles/routes.ts';
import type { TileService } from '#api/modules/tiles/service.ts';
import { REFUSING_AUTHENTICATOR } from './refusing-authenticator.ts';

/** A server that serves only tiles. Rejects if the operator's map is refused. */
export async function buildTileApp(service: TileService): Promise<FastifyInstance> {
  const app = await createServer({ logger: false, trust_proxy: undefined, public_url: 'http://localhost' });
  mountTiles(app, createRoute(app, REFUSING_AUTHENTICATOR), service);
  await app.ready();
  return app;
}
