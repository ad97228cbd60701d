import type { FastifyReply, FastifyRequest } from 'fastify';
import { IDLE_END_MS } from './session-expiry.ts';

/** `__Host-`: no subdomain and no plain http page can set it. */
export const REFRESH_COOKIE = '__Host-sendlap_refresh';
/**
 * Set and cleared with the refresh token, and the app can read it: where it is missing the app has no session to
 * ask for at start-up. It opens nothing.
 */
const SESSION_FLAG_COOKIE = '__Host-sendlap_session';
/** Somebody signed out in this browser: the next sign-in asks for the password, whoever the provider remembers. */
const SIGNED_OUT_COOKIE = '__Host-sendlap_signed_out';
/** What all cookies of a sign-in have in common. */
export const STRICT_COOKIE = { httpOnly: true, secure: true, sameSite: 'strict', path: '/' } as const;

const FLAG_COOKIE = { ...STRICT_COOKIE, httpOnly: false } as const;

const REFRESH_COOKIE_AGE_S = IDLE_END_MS / 1000;
/** Longer than providers remember anybody. */
const SIGNED_OUT_AGE_S = 365 * 86_400;

export function giveRefreshToken(reply: FastifyReply, refresh_token: string): void {
  reply.setCookie(REFRESH_COOKIE, refresh_token, { ...STRICT_COOKIE, maxAge: REFRESH_COOKIE_AGE_S });
  reply.setCookie(SESSION_FLAG_COOKIE, '1', { ...FLAG_COOKIE, maxAge: REFRESH_COOKIE_AGE_S });
}

/** Signs this browser out; the session itself is ended by `Sessions`. */
export function clearRefreshToken(reply: FastifyReply): void {
  reply.clearCookie(REFRESH_COOKIE, STRICT_COOKIE);
  reply.clearCookie(SESSION_FLAG_COOKIE, FLAG_COOKIE);
  noteSignOut(reply);
}

/** Somebody wants to sign out here, whether or not it worked. */
export function noteSignOut(reply: FastifyReply): void {
  reply.setCookie(SIGNED_OUT_COOKIE, '1', { ...STRICT_COOKIE, maxAge: SIGNED_OUT_AGE_S });
}

export function wasSignedOut(request: FastifyRequest): boolean {
  return request.cookies[SIGNED_OUT_COOKIE] !== undefined;
}

/** After a completed sign-in. */
export function forgetSignOut(request: FastifyRequest, reply: FastifyReply): void {
  if (wasSignedOut(request)) reply.clearCookie(SIGNED_OUT_COOKIE, STRICT_COOKIE);
}
