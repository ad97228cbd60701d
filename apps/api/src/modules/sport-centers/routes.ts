import { createHash } from 'node:crypto';
import {
  findSportCenters,
  getSportCenter,
  getSportCenterFilterOptions,
  listSportCenters,
  searchSportCenters,
} from '@sendlap/contract/sport-centers.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Http, Route } from '#api/platform/route.ts';
import type { SportCenterService } from './service.ts';

const CACHED = [listSportCenters, searchSportCenters, getSportCenterFilterOptions, getSportCenter, findSportCenters];

/** The public reads of sport centers, each with an ETag; a client that has the same data already gets 304. */
export function mountSportCenters(app: FastifyInstance, route: Route, service: SportCenterService): void {
  const cache = new Map<string, number>(CACHED.map((endpoint) => [endpoint.path, endpoint.cache_s]));
  // After validation and before the search: what nobody needs is not computed.
  app.addHook('preHandler', async (request, reply) => {
    const cache_s = cache.get(request.routeOptions.url ?? '');
    if (cache_s === undefined || request.headers['if-none-match'] !== tagOf(service, request)) return;
    return answerNotModified(reply, tagOf(service, request), cache_s);
  });
  const tagged = <Data>({ request, reply }: Http, data: Data): Data => {
    reply.header('etag', tagOf(service, request));
    return data;
  };

  route(listSportCenters, async ({ query }, _, http) => tagged(http, service.listSportCenters(query)));
  route(searchSportCenters, async ({ query }, _, http) => tagged(http, service.searchSportCenters(query)));
  route(getSportCenterFilterOptions, async (_, __, http) => tagged(http, service.getSportCenterFilterOptions()));
  route(getSportCenter, async ({ params }, _, http) => tagged(http, service.getSportCenter(params.id)));
  route(findSportCenters, async ({ params, query }, _, http) =>
    tagged(http, service.findSportCenters({ ...params, ...query })),
  );
}

function answerNotModified(reply: FastifyReply, etag: string, cache_s: number): FastifyReply {
  return reply.code(304).header('etag', etag).header('cache-control', `public, max-age=${cache_s}`).send();
}

/** Weak: the same data for the same address is the same list, whatever bytes it is sent in. */
function tagOf({ version }: SportCenterService, { url }: FastifyRequest): string {
  return `W/"${version}-${createHash('sha256').update(url).digest('base64url').slice(0, 12)}"`;
}
