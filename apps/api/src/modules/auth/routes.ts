import { authorize, completeSignIn, getAuthConfig, getMe, logout, PROVIDER, refresh } from '@sendlap/contract/auth.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '#api/platform/route.ts';
import { IDLE_END_MS } from '#api/platform/sessions.ts';
import { describeDevice } from './device-name.ts';
import { type AuthService, SIGN_IN_LIFETIME_S } from './service.ts';

/** `__Host-`: no subdomain and no plain http page can set them. */
const REFRESH_COOKIE = '__Host-sendlap_refresh';
const SIGN_IN_COOKIE = '__Host-sendlap_sign_in';
const COOKIE = { httpOnly: true, secure: true, sameSite: 'strict', path: '/' } as const;
const REFRESH_COOKIE_AGE_S = IDLE_END_MS / 1000;

export function mountAuth(route: Route, service: AuthService): void {
  route(getAuthConfig, async () => ({ provider: PROVIDER, own_provider: service.own_provider }));

  route(authorize, async ({ query }, _caller, { request, reply }) => {
    const { browser, ...reply_data } = await service.authorize({
      redirect_uri: query.redirect_uri,
      signup: query.signup === 'true',
      ui_locales: query.ui_locales,
      browser: request.cookies[SIGN_IN_COOKIE],
    });
    reply.setCookie(SIGN_IN_COOKIE, browser, { ...COOKIE, maxAge: SIGN_IN_LIFETIME_S });
    return reply_data;
  });

  route(completeSignIn, async ({ body }, _caller, { request, reply }) => {
    const { user, tokens, refresh_token } = await service.completeSignIn({
      code: body.code,
      state: body.state,
      code_verifier: body.code_verifier,
      iss: body.iss,
      browser: request.cookies[SIGN_IN_COOKIE],
      device_name: describeDevice(request.headers['user-agent']),
      old_refresh_token: request.cookies[REFRESH_COOKIE],
    });
    giveRefreshToken(reply, refresh_token);
    return { user, tokens };
  });

  route(getMe, async (_input, { user_id }) => ({ user: await service.getMe(user_id) }));

  // A refresh that loses never clears the cookie: another tab may have set a good one meanwhile.
  route(refresh, async (_input, _caller, { request, reply }) => {
    const { tokens, refresh_token } = await service.refresh(presentedToken(request));
    giveRefreshToken(reply, refresh_token);
    return tokens;
  });

  route(logout, async (_input, _caller, { request, reply }) => {
    // Also when the database can't be reached: the browser must not come back signed in.
    reply.clearCookie(REFRESH_COOKIE, COOKIE);
    return service.logout(presentedToken(request));
  });
}

function presentedToken(request: FastifyRequest): string | undefined {
  return request.cookies[REFRESH_COOKIE];
}

function giveRefreshToken(reply: FastifyReply, refresh_token: string): void {
  reply.setCookie(REFRESH_COOKIE, refresh_token, { ...COOKIE, maxAge: REFRESH_COOKIE_AGE_S });
}
