import { hash } from 'node:crypto';
import {
  findNearestSportCenters,
  getCenterProofs,
  getSportCenter,
  getSportCenterFilterOptions,
  listRecommendedSportCenters,
  listSportCenters,
  searchSportCenters,
} from '@sendlap/contract/sport-centers.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { HttpExchange, Route } from '#api/http/route.ts';
import type { KioskService } from '#api/modules/kiosks/service.ts';
import type { RefereeService } from '#api/modules/referees/service.ts';
import { AppError } from '#api/platform/errors.ts';
import type { SportCenterService } from './service.ts';

const CACHED = [
  listSportCenters,
  searchSportCenters,
  getSportCenterFilterOptions,
  getSportCenter,
  findNearestSportCenters,
];

/** The public reads of sport centers, each with an ETag: a client that already has the same data gets 304. */
export function mountSportCenters(app: FastifyInstance, route: Route, service: SportCenterService): void {
  const cache = new Map<string, number>(CACHED.map((endpoint) => [endpoint.path, endpoint.cache_s]));
  // After validation and before the search: an unneeded reply is not computed.
  app.addHook('preHandler', (request, reply, done) => {
    const known = request.headers['if-none-match'];
    const cache_s = known === undefined ? undefined : cache.get(request.routeOptions.url ?? '');
    if (cache_s === undefined || known !== etagOf(service, request)) done();
    else sendNotModified(reply, known, cache_s);
  });
  // The tag is computed first: if the data changes during the work, the newer reply has the older tag and is requested
  // again.
  function withEtag<Data>({ request, reply }: HttpExchange, work: () => Data | Promise<Data>): Data | Promise<Data> {
    const etag = etagOf(service, request);
    const setEtag = (data: Data) => {
      reply.header('etag', etag);
      return data;
    };
    const data = work();
    return data instanceof Promise ? data.then(setEtag) : setEtag(data);
  }

  route(listSportCenters, ({ query }, _, http) => withEtag(http, () => service.listSportCenters(query)));
  route(searchSportCenters, ({ query }, _, http) =>
    withEtag(http, () => service.searchSportCenters(query, http.request)),
  );
  route(getSportCenterFilterOptions, (_, __, http) => withEtag(http, () => service.getSportCenterFilterOptions()));
  route(getSportCenter, ({ params }, _, http) => withEtag(http, () => service.getSportCenter(params.id)));
  route(findNearestSportCenters, ({ params, query }, _, http) =>
    withEtag(http, () => service.findNearestSportCenters({ ...params, ...query })),
  );
  // No ETag: activity counts change independently of the centers' data.
  route(listRecommendedSportCenters, ({ query }) => service.listRecommendedSportCenters(query));
}

function sendNotModified(reply: FastifyReply, etag: string, cache_s: number): FastifyReply {
  return reply.code(304).header('etag', etag).header('cache-control', `public, max-age=${cache_s}`).send();
}

/**
 * Changes with the schema of the replies, so that no cached copy outlives a release that describes centers differently.
 */
const SCHEMA_HASH = hash('md5', JSON.stringify(CACHED.map(({ data }) => z.toJSONSchema(data))), 'base64url');

/** Weak: the same data for the same URL is the same list, in whatever encoding it is sent. */
function etagOf({ version }: SportCenterService, { url }: FastifyRequest): string {
  return `W/"${version}-${SCHEMA_HASH}-${hash('md5', url, 'base64url')}"`;
}

interface CenterProofsOptions {
  sport_centers: Pick<SportCenterService, 'getById'>;
  referees: Pick<RefereeService, 'sportsRefereedAt'>;
  kiosks: Pick<KioskService, 'hasActiveKiosk'>;
  now: () => Date;
}

/** The proofs available at a center. Says whether there are referees, never who they are. */
export function mountCenterProofs(route: Route, { sport_centers, referees, kiosks, now }: CenterProofsOptions): void {
  route(getCenterProofs, async ({ params }) => {
    const center = sport_centers.getById(params.id.toLowerCase());
    if (!center) throw new AppError('sport_center_not_found', 'There is no such sport center');
    const [referee_sports, has_kiosk] = await Promise.all([
      referees.sportsRefereedAt(center.id, now()),
      kiosks.hasActiveKiosk(center.id),
    ]);
    return { referee_sports, has_kiosk };
  });
}
