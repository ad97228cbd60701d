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

/**
 * `essential`: sign-in, refresh, activities and messages, for which the phone has no substitute. `ordinary`: all others.
 */
export type LoadKind = 'ordinary' | 'essential';

/**
 * The node is overloaded for ordinary requests while `requests` of them all have been in work for longer than
 * `ordinary_ms`, and for the essential ones after `essential_ms`.
 */
export interface LoadLimits {
  requests: number;
  ordinary_ms: number;
  essential_ms: number;
}

/** Decision 061 has the trials; `npm run faults -- overload` measures these limits. */
export const LOAD_LIMITS: LoadLimits = { requests: 16, ordinary_ms: 80, essential_ms: 120 };
/** A request that takes longer hangs: it is no sign of load. */
const STUCK_MS = 15_000;
/** Refuses by the number of requests for so long after the last time that they took too long. */
const EPISODE_MS = 1_000;
const AVERAGED_MS = 250;
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
 * arrives: slow callers would use the limit up.
 */
export function shedLoad(app: FastifyInstance, limits: LoadLimits = LOAD_LIMITS, others = NO_OTHERS): void {
  const waiting = listWaiting(others);
  const waitsForOthers = ({ routeOptions: { url = '' } }: FastifyRequest) =>
    waiting.has(url) || url.startsWith(TILES_PATH);
  /** Since when, oldest first. */
  const in_work = new Map<FastifyRequest, number>();
  const answers = createRate();
  let overloaded_at = Number.NEGATIVE_INFINITY;
  const isOverloaded = (limit_ms: number) => {
    const now = performance.now();
    for (const [request, since] of in_work) {
      if (now - since < STUCK_MS) break;
      in_work.delete(request);
    }
    if (in_work.size < limits.requests) return false;
    const [since = now] = in_work.values().drop(limits.requests - 1);
    if (now - since >= limit_ms) overloaded_at = now;
    else if (now - overloaded_at >= EPISODE_MS) return false;
    return now - since >= limit_ms || in_work.size >= answers.perMs(now) * limit_ms;
  };
  const leave = (request: FastifyRequest) => {
    if (in_work.delete(request)) answers.count(performance.now());
  };
  app.addHook('onRequest', (request, reply, done) => {
    const kind = kindOf(request);
    if (kind === undefined) return done();
    if (isOverloaded(kind === 'essential' ? limits.essential_ms : limits.ordinary_ms)) {
      shed_requests.report({ kind });
      return done(overloaded(in_work.size));
    }
    if (waitsForOthers(request)) return done();
    in_work.set(request, performance.now());
    // The identity provider writes its reply itself, without `onSend`.
    reply.raw.once('close', () => {
      if (reply.sent) leave(request);
    });
    done();
  });
  app.addHook('preParsing', (request, _reply, payload, done) => {
    in_work.delete(request);
    done(null, payload);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (kindOf(request) !== undefined && !waitsForOthers(request)) in_work.set(request, performance.now());
    done();
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    leave(request);
    done();
  });
}

/** Of events, weighted towards the last `AVERAGED_MS`. */
function createRate() {
  let per_ms = 0;
  let counted_at = 0;
  const perMs = (now: number) => per_ms * Math.exp((counted_at - now) / AVERAGED_MS);
  return {
    perMs,
    count(now: number) {
      per_ms = perMs(now) + 1 / AVERAGED_MS;
      counted_at = now;
    },
  };
}

/** Returns undefined for requests that are neither counted nor refused. */
function kindOf({ method, routeOptions: { url } }: FastifyRequest): LoadKind | undefined {
  if (url === undefined || url === EVENTS_PATH) return undefined;
  if (url.startsWith('/oidc/') || url.startsWith('/v1/auth/')) return 'essential';
  if (!url.startsWith('/v1/')) return undefined;
  const is_write = method !== 'GET' && method !== 'HEAD';
  return is_write && (url.startsWith('/v1/activities') || url === sendMessage.path) ? 'essential' : 'ordinary';
}

function overloaded(in_work: number): AppError {
  return new AppError('unavailable', 'The service is busy; try again in a moment', {
    retry_after_s: randomInt(RETRY_AFTER_S.least, RETRY_AFTER_S.most + 1),
    log_fields: { in_work },
  });
}
