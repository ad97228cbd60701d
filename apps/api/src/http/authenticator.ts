import { UUID_V4_PATTERN } from '@sendlap/domain/ids.ts';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors.ts';
import { REFRESH_COOKIE } from '../sessions/refresh-cookies.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import { allowedOrigins } from './allowed-origins.ts';
import type { Authenticator, Kiosk } from './route.ts';

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;
/** Without dots, so that a kiosk token and a JWT are never confused. */
const KIOSK_BEARER = /^Bearer (kiosk_[\w-]{43})$/i;

interface AuthenticatorOptions {
  sessions: Sessions;
  operators: { isOperator(user_id: string): Promise<boolean> };
  managers: { isManager(user_id: string, sport_center_id: string): Promise<boolean> };
  kiosks: {
    /** Throws `kiosk_unknown` unless the token is one of a paired kiosk. */
    authenticate(token: string): Promise<Kiosk>;
  };
  public_url: string;
}

/** Admits bearer tokens of live sessions and of paired kiosks, and cookie calls only from our own pages. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { sessions, operators, managers, kiosks, public_url } = options;
  const origins = new Set(allowedOrigins(public_url));
  const authenticate: Authenticator['authenticate'] = (request, { while_locked = false } = {}) => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (!token) throw new AppError('unauthenticated', 'Please sign in');
    const cached_session = sessions.authenticateCached(token);
    if (cached_session) return assertNotLocked(cached_session, while_locked);
    return sessions.authenticate(token).then((session) => assertNotLocked(session, while_locked));
  };
  return {
    authenticate,
    async authenticateOperator(request) {
      const session = await authenticate(request);
      if (await operators.isOperator(session.user_id)) return session;
      throw new AppError('not_an_operator', 'Only an operator of this server can do this');
    },
    async authenticateManager(request) {
      const session = await authenticate(request);
      // Not validated yet.
      const { id = '' } = request.params as { id?: string };
      if (UUID_V4_PATTERN.test(id) && (await managers.isManager(session.user_id, id))) return session;
      if (await operators.isOperator(session.user_id)) return session;
      throw new AppError('not_a_manager', 'Only a manager of this center can do this');
    },
    async authenticateKiosk(request) {
      const token = KIOSK_BEARER.exec(request.headers.authorization ?? '')?.[1];
      if (!token) throw new AppError('kiosk_unknown', 'This device is not paired as a kiosk');
      return kiosks.authenticate(token);
    },
    checkOrigin(request) {
      if (!isFromAllowedOrigin(request, origins)) {
        throw new AppError('origin_not_allowed', 'This call is for pages of this app only');
      }
    },
    async findCookieSession({ cookies }) {
      const token = cookies[REFRESH_COOKIE];
      return token ? (await sessions.findByRefreshToken(token))?.session_id : undefined;
    },
  };
}

function assertNotLocked(session: Session, while_locked: boolean): Session {
  if (!session.locked || while_locked) return session;
  throw new AppError('account_locked', 'This account is locked and will be erased; restore it to go on');
}

/**
 * Browsers send `Origin` with every POST; without it only `Sec-Fetch-Site: same-origin` is accepted. No supported
 * browser omits both, so such a request is refused.
 */
export function isFromAllowedOrigin(request: FastifyRequest, origins: ReadonlySet<string>): boolean {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (origin === undefined) return site === 'same-origin';
  return origins.has(origin) && site !== 'cross-site';
}
