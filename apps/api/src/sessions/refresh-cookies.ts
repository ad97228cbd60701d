import type { FastifyReply, FastifyRequest } from 'fastify';
import { IDLE_END_MS } from './session-expiry.ts';

/** `__Host-`: no subdomain and no plain http page can set it. */
export const REFRESH_COOKIE = '__Host-sendlap_refresh';
/**
 * Set and cleared with the refresh token and readable by the app: without it the app has no session to request at
 * start-up. It grants no access.
 */
const SESSION_FLAG_COOKIE = '__Host-sendlap_session';
/**
 * A user signed out in this browser: the next sign-in asks for the password, even if the provider still has a session.
 */
const SIGNED_OUT_COOKIE = '__Host-sendlap_signed_out';
/** Attributes of all cookies of a sign-in. */
export const STRICT_COOKIE = { httpOnly: true, secure: true, sameSite: 'strict', path: '/' } as const;

const FLAG_COOKIE = { ...STRICT_COOKIE, httpOnly: false } as const;

const REFRESH_COOKIE_AGE_S = IDLE_END_MS / 1000;
/** Longer than any provider keeps its session. */
const SIGNED_OUT_AGE_S = 365 * 86_400;

export function setRefreshCookies(reply: FastifyReply, refresh_token: string): void {
  reply.setCookie(REFRESH_COOKIE, refresh_token, { ...STRICT_COOKIE, maxAge: REFRESH_COOKIE_AGE_S });
  reply.setCookie(SESSION_FLAG_COOKIE, '1', { ...FLAG_COOKIE, maxAge: REFRESH_COOKIE_AGE_S });
}

/** Signs this browser out; `Sessions` ends the session itself. */
export function clearRefreshCookies(reply: FastifyReply): void {
  reply.clearCookie(REFRESH_COOKIE, STRICT_COOKIE);
  reply.clearCookie(SESSION_FLAG_COOKIE, FLAG_COOKIE);
  setSignedOutCookie(reply);
}

/** Records that the user asked to sign out here, whether or not it succeeded. */
export function setSignedOutCookie(reply: FastifyReply): void {
  reply.setCookie(SIGNED_OUT_COOKIE, '1', { ...STRICT_COOKIE, maxAge: SIGNED_OUT_AGE_S });
}

export function wasSignedOut(request: FastifyRequest): boolean {
  return request.cookies[SIGNED_OUT_COOKIE] !== undefined;
}

/** Called after a completed sign-in. */
export function clearSignedOutCookie(request: FastifyRequest, reply: FastifyReply): void {
  if (wasSignedOut(request)) reply.clearCookie(SIGNED_OUT_COOKIE, STRICT_COOKIE);
}
