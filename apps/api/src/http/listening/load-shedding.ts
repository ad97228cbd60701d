import { randomInt } from 'node:crypto';
import { authorize, completeSignIn, getAuthConfig, logout } from '@sendlap/contract/auth.ts';
import { checkClaimLine, sendClaimMail } from '@sendlap/contract/center-management/claims.ts';
import { sendMessage } from '@sendlap/contract/chats.ts';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import { TILES_PATH } from '@sendlap/contract/map/tiles.ts';
import { createPushSubscription } from '@sendlap/contract/push-subscriptions.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#api/platform/errors.ts';
import { shed_requests } from '#api/platform/measurements.ts';
import { createRequestsInWork, type WorkLimits } from './requests-in-work.ts';

/** `essential`: sign-in, refresh, activities and messages, for which the phone has no substitute. */
export type LoadKind = 'ordinary' | 'essential';

/** Ordinary requests are refused while the oldest ones take `ordinary_ms`, essential ones from `essential_ms` on. */
export interface LoadLimits extends WorkLimits {
  ordinary_ms: number;
  essential_ms: number;
}

/** Decision 061 has the trials; `npm run faults -- overload` measures these limits. */
export const LOAD_LIMITS: LoadLimits = {
  requests: 16,
  requests_of_user: 15,
  ordinary_ms: 80,
  essential_ms: 120,
};
/** Which servers the settings name. */
export interface OtherServers {
  has_external_provider: boolean;
  has_mail_server: boolean;
}

/**
 * They wait for hosts of maps, identity providers, mail servers, web sites or name servers, as long as those take.
 * Counted, a slow host would keep all others out.
 */
function listWaiting({ has_external_provider, has_mail_server }: OtherServers): Set<string> {
  const by_provider = has_external_provider ? [getAuthConfig, authorize, completeSignIn, logout] : [];
  const waiting = [...by_provider, sendClaimMail, checkClaimLine, createPushSubscription].map(({ path }) => path);
  // Without mails it stores a password.
  return new Set(has_mail_server ? [...waiting, '/oidc/interaction/:uid/sign-up'] : waiting);
}

const NO_OTHERS: OtherServers = { has_external_provider: false, has_mail_server: false };
/** Spread, so that phones refused together do not come back together. */
const RETRY_AFTER_S = { least: 2, most: 5 };

/**
 * Refuses requests with 503 while too many have been in work for too long at this node, the ordinary ones first. Health,
 * pages, files and event streams are neither counted nor refused; requests that wait for other servers are refused, but
 * not counted. A request is in work until its reply is ready, even after its caller has left, but not while its body
 * arrives: slow callers would use the limit up. Of one account only so many are in work; more are refused with 429.
 */
export function shedLoad(app: FastifyInstance, limits: LoadLimits = LOAD_LIMITS, others = NO_OTHERS): void {
  const waiting = listWaiting(others);
  const waitsForOthers = ({ routeOptions: { url = '' } }: FastifyRequest) =>
    waiting.has(url) || url.startsWith(TILES_PATH);
  const work = createRequestsInWork(limits);
  app.addHook('onRequest', (request, reply, done) => {
    const kind = kindOf(request);
    if (kind === undefined) return done();
    if (work.isOverloaded(kind === 'essential' ? limits.essential_ms : limits.ordinary_ms)) {
      shed_requests.report({ kind });
      return done(overloaded(work.size()));
    }
    if (waitsForOthers(request)) return done();
    work.arrive(request);
    // The identity provider writes its reply itself, without `onSend`.
    reply.raw.once('close', () => {
      if (reply.sent) work.end(request);
    });
    done();
  });
  app.addHook('preParsing', (request, _reply, payload, done) => {
    work.remove(request);
    done(null, payload);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (kindOf(request) === undefined || waitsForOthers(request)) return done();
    if (work.hasTooManyOf(request)) return done(tooManyAtOnce());
    work.begin(request, hasOps(request));
    done();
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    work.end(request);
    done();
  });
}

/** Ops of one account are received one after the other. */
const hasOps = ({ method, routeOptions: { url = '' } }: FastifyRequest) =>
  method !== 'GET' && method !== 'HEAD' && url.startsWith('/v1/activities');

/** Returns undefined for requests that are neither counted nor refused. */
function kindOf(request: FastifyRequest): LoadKind | undefined {
  const { method } = request;
  const { url } = request.routeOptions;
  if (url === undefined || url === EVENTS_PATH) return undefined;
  if (url.startsWith('/oidc/') || url.startsWith('/v1/auth/')) return 'essential';
  if (!url.startsWith('/v1/')) return undefined;
  const is_write = method !== 'GET' && method !== 'HEAD';
  return hasOps(request) || (is_write && url === sendMessage.path) ? 'essential' : 'ordinary';
}

/** The load is the account's, not the node's: no alert is due. */
function tooManyAtOnce(): AppError {
  return new AppError('too_many_requests', 'Too many requests at once; wait for the replies', {
    retry_after_s: randomRetryS(),
  });
}

const randomRetryS = () => randomInt(RETRY_AFTER_S.least, RETRY_AFTER_S.most + 1);

function overloaded(in_work: number): AppError {
  return new AppError('unavailable', 'The service is busy; try again in a moment', {
    retry_after_s: randomRetryS(),
    log_fields: { in_work },
  });
}
