import {
  authorize,
  completeSignIn,
  getAuthConfig,
  getMe,
  login,
  logout,
  PROVIDER,
  refresh,
} from '@sendlap/contract/auth.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { describeDevice } from '@sendlap/domain/device-name.ts';
import type { FastifyRequest } from 'fastify';
import { readDeviceCookie, setDeviceCookie } from '#api/accounts/known-devices.ts';
import type { HttpExchange, Route } from '#api/http/route.ts';
import {
  clearRefreshCookies,
  clearSignedOutCookie,
  REFRESH_COOKIE,
  STRICT_COOKIE,
  setRefreshCookies,
  setSignedOutCookie,
  wasSignedOut,
} from '#api/sessions/refresh-cookies.ts';
import { PROOF_HEADER } from '#api/sessions/session-proof.ts';
import { type AuthService, SIGN_IN_LIFETIME_S, type SignedIn } from './service.ts';

/** `__Host-`: no subdomain and no plain http page can set it. */
const SIGN_IN_COOKIE = '__Host-sendlap_sign_in';

/**
 * With each access token. Another epoch than before says that the server was restored from a backup: it may lack what it
 * acknowledged since, and devices send it again.
 */
const EPOCH_HEADER = 'x-server-epoch';

/** `epoch`: of the database, see `readEpoch`. */
export function mountAuth(route: Route, service: AuthService, epoch: string): void {
  const proofOf = ({ method, path }: Endpoint, { headers }: FastifyRequest) =>
    service.readProof({ header: headers[PROOF_HEADER], method, path });

  route(getAuthConfig, async () => ({ provider: PROVIDER, ...(await service.getSignInMethods()) }));

  route(authorize, async ({ query }, _caller, { request, reply }) => {
    const { browser, ...reply_data } = await service.authorize({
      redirect_uri: query.redirect_uri,
      signup: query.signup === 'true',
      must_reauthenticate: wasSignedOut(request),
      ui_locales: query.ui_locales,
      browser: request.cookies[SIGN_IN_COOKIE],
    });
    reply.setCookie(SIGN_IN_COOKIE, browser, { ...STRICT_COOKIE, maxAge: SIGN_IN_LIFETIME_S });
    return reply_data;
  });

  route(completeSignIn, async ({ body }, _caller, http) => {
    const answer = { code: body.code, state: body.state, code_verifier: body.code_verifier, iss: body.iss };
    const { request } = http;
    const browser = request.cookies[SIGN_IN_COOKIE];
    const proof = await proofOf(completeSignIn, request);
    http.reply.header(EPOCH_HEADER, epoch);
    return finishSignIn(http, await service.completeSignIn({ ...answer, browser, proof, ...browserInputOf(request) }));
  });

  route(login, async ({ body }, _caller, http) => {
    const { request } = http;
    const { origin, 'sec-fetch-site': site } = request.headers;
    service.assertOwnOrigin({ origin, site });
    const { email, password } = body;
    const proof = await proofOf(login, request);
    const attempt = { email, password, ip: request.ip, device_cookie: readDeviceCookie(request), proof };
    const signed_in = await service.login({ ...attempt, ...browserInputOf(request) });
    setDeviceCookie(http.reply, signed_in.device_cookie);
    http.reply.header(EPOCH_HEADER, epoch);
    return finishSignIn(http, signed_in);
  });

  route(getMe, (_input, { user_id }) => {
    const user = service.getMe(user_id);
    return user instanceof Promise ? user.then((found) => ({ user: found })) : { user };
  });

  // A refresh that loses the race never clears the cookie: another tab may have set a valid one since.
  route(refresh, async (_input, _caller, { request, reply }) => {
    // After a sign-out that the database missed, the cookie serves only to repeat that sign-out.
    const presented = wasSignedOut(request) ? undefined : request.cookies[REFRESH_COOKIE];
    const { tokens, refresh_token } = await service.refresh(presented, await proofOf(refresh, request));
    setRefreshCookies(reply, refresh_token);
    reply.header(EPOCH_HEADER, epoch);
    // A stale sign-out mark: the browser was killed after the sign-in, before it wrote its cookies.
    clearSignedOutCookie(request, reply);
    return tokens;
  });

  route(logout, async (_input, _caller, { request, reply }) => {
    setSignedOutCookie(reply);
    const ended = await service.logout(request.cookies[REFRESH_COOKIE]);
    // Only after the logout: otherwise a repeat could not name the session to end.
    clearRefreshCookies(reply);
    return ended;
  });
}

/** The browser's part of a new session; the old session is the browser's previous one. */
function browserInputOf(request: FastifyRequest) {
  return {
    device_name: describeDevice(request.headers['user-agent'] ?? ''),
    old_refresh_token: request.cookies[REFRESH_COOKIE],
  };
}

/** Both ways of signing in end here: the refresh token goes into the cookie only. */
function finishSignIn({ request, reply }: HttpExchange, { user, tokens, refresh_token }: SignedIn) {
  setRefreshCookies(reply, refresh_token);
  clearSignedOutCookie(request, reply);
  return { user, tokens };
}
