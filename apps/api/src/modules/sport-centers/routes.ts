import { hash } from 'node:crypto';
import {
  findSportCenters,
  getCenterProofs,
  getSportCenter,
  getSportCenterFilterOptions,
  listRecommendedSportCenters,
  listSportCenters,
  searchSportCenters,
} from '@sendlap/contract/sport-centers.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Http, Route } from '#api/http/route.ts';
import type { KioskService } from '#api/modules/kiosks/service.ts';
import type { RefereeService } from '#api/modules/referees/service.ts';
import { AppError } from '#api/platform/errors.ts';
import type { SportCenterService } from './service.ts';

const CACHED = [listSportCenters, searchSportCenters, getSportCenterFilterOptions, getSportCenter, findSportCenters];

/** The public reads of sport centers, each with an ETag: a client that already has the same data gets 304. */
export function mountSportCenters(app: FastifyInstance, route: Route, service: SportCenterService): void {
  const cache = new Map<string, number>(CACHED.map((endpoint) => [endpoint.path, endpoint.cache_s]));
  // After validation and before the search: an unneeded reply is not computed.
  app.addHook('preHandler', (request, reply, done) => {
    const known = request.headers['if-none-match'];
    const cache_s = known === undefined ? undefined : cache.get(request.routeOptions.url ?? '');
    if (cache_s === undefined || known !== nameOf(service, request)) done();
    else answerNotModified(reply, known, cache_s);
  });
  // The tag is computed first: if the data changes during the work, the newer reply has the older tag and is requested
  // again.
  function tagged<Data>({ request, reply }: Http, work: () => Data | Promise<Data>): Data | Promise<Data> {
    const etag = nameOf(service, request);
    const name = (data: Data) => {
      reply.header('etag', etag);
      return data;
    };
    const data = work();
    return data instanceof Promise ? data.then(name) : name(data);
  }

  route(listSportCenters, ({ query }, _, http) => tagged(http, () => service.listSportCenters(query)));
  route(searchSportCenters, ({ query }, _, http) =>
    tagged(http, () => service.searchSportCenters(query, http.request)),
  );
  route(getSportCenterFilterOptions, (_, __, http) => tagged(http, () => service.getSportCenterFilterOptions()));
  route(getSportCenter, ({ params }, _, http) => tagged(http, () => service.getSportCenter(params.id)));
  route(findSportCenters, ({ params, query }, _, http) =>
    tagged(http, () => service.findSportCenters({ ...params, ...query })),
  );
  // No ETag: activity counts change independently of the centers' data.
  route(listRecommendedSportCenters, ({ query }) => service.listRecommendedSportCenters(query));
}

function answerNotModified(reply: FastifyReply, etag: string, cache_s: number): FastifyReply {
  return reply.code(304).header('etag', etag).header('cache-control', `public, max-age=${cache_s}`).send();
}

/**
 * Changes with the schema of the replies, so that no cached copy outlives a release that describes centers differently.
 */
const FORM = hash('md5', JSON.stringify(CACHED.map(({ data }) => z.toJSONSchema(data))), 'base64url');

/** Weak: the same data for the same URL is the same list, in whatever encoding it is sent. */
function nameOf({ version }: SportCenterService, { url }: FastifyRequest): string {
  return `W/"${version}-${FORM}-${hash('md5', url, 'base64url')}"`;
}

interface Proofs {
  sport_centers: Pick<SportCenterService, 'getById'>;
  referees: Pick<RefereeService, 'sportsRefereedAt'>;
  kiosks: Pick<KioskService, 'isAt'>;
  now: () => Date;
}

/** The proofs available at a center. Says whether there are referees, never who they are. */
export function mountCenterProofs(route: Route, { sport_centers, referees, kiosks, now }: Proofs): void {
  route(getCenterProofs, async ({ params }) => {
    const center = sport_centers.getById(params.id.toLowerCase());
    if (!center) throw new AppError('sport_center_not_found', 'There is no such sport center');
    const [referee_sports, has_kiosk] = await Promise.all([
      referees.sportsRefereedAt(center.id, now()),
      kiosks.isAt(center.id),
    ]);
    return { referee_sports, has_kiosk };
  });
}
