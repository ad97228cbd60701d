import { createHash } from 'node:crypto';
import { searchTowns } from '@sendlap/contract/towns.ts';
import type { FastifyInstance } from 'fastify';
import type { Route } from '#api/http/route.ts';
import type { TownService } from './service.ts';

/** Town suggestions with an ETag: a client that already has the same list gets 304. */
export function mountTowns(app: FastifyInstance, route: Route, towns: TownService): void {
  app.addHook('onListen', async () => towns.warmUp());
  route(searchTowns, async ({ query }, _, { request, reply }) => {
    const items = towns.searchTowns(query.q, query.limit);
    // Weak: the same list, in whatever encoding it is sent.
    const hash = createHash('sha256').update(JSON.stringify(items)).digest('base64url');
    const etag = `W/"${hash.slice(0, 16)}"`;
    reply.header('etag', etag);
    if (request.headers['if-none-match'] === etag) reply.code(304);
    return { items, next_cursor: null };
  });
}
