import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Secrets } from '#api/database/secrets.ts';
import { STRICT_COOKIE } from '#api/sessions/refresh-cookies.ts';
import { emailKey } from './email.ts';
import { passwordStamp } from './passwords.ts';

/** `__Host-`: no subdomain and no plain http page can set it. */
const DEVICE_COOKIE = '__Host-sendlap_devices';
const COOKIE_AGE_S = 365 * 86_400;
const ID_BYTES = 16;
/** Keeps the latest marks if several people share a browser. */
const MAX_MARKS = 5;
const COOKIE = /^[\w-]{22}\.[\w-]{43}(?:\.[\w-]{22}\.[\w-]{43}){0,4}$/;

interface MarkedAccount {
  email: string;
  password_hash: string;
}

/**
 * Marks of browsers that signed in to an account before. A mark is an id, signed together with the account and its
 * password: a new password invalidates it.
 */
export function createKnownDevices(secrets: Secrets) {
  const key = secrets.derive('known devices');
  const sign = (id: string, { email, password_hash }: MarkedAccount) =>
    createHmac('sha256', key)
      .update(JSON.stringify([id, emailKey(email), passwordStamp(password_hash)]))
      .digest('base64url');
  const belongsTo = (account: MarkedAccount) => (mark: Mark) =>
    timingSafeEqual(Buffer.from(mark.signature), Buffer.from(sign(mark.id, account)));

  return {
    /** Returns the id of this account's mark in the cookie; undefined if the cookie has no such mark. */
    find: (cookie: string | undefined, account: MarkedAccount) => readMarks(cookie).find(belongsTo(account))?.id,
    /** Returns the cookie with a mark of this account. */
    add(cookie: string | undefined, account: MarkedAccount): string {
      const marks = readMarks(cookie);
      const existing_mark = marks.find(belongsTo(account));
      const id = existing_mark?.id ?? randomBytes(ID_BYTES).toString('base64url');
      const others = marks.filter((mark) => mark !== existing_mark).slice(0, MAX_MARKS - 1);
      return [{ id, signature: sign(id, account) }, ...others].map((mark) => `${mark.id}.${mark.signature}`).join('.');
    },
  };
}

interface Mark {
  id: string;
  signature: string;
}

function readMarks(cookie = ''): Mark[] {
  if (!COOKIE.test(cookie)) return [];
  const parts = cookie.split('.');
  return parts.flatMap((id, at) => (at % 2 === 0 ? [{ id, signature: parts[at + 1] ?? '' }] : []));
}

export function readDeviceCookie(request: FastifyRequest): string | undefined {
  return request.cookies[DEVICE_COOKIE];
}

export function setDeviceCookie(reply: FastifyReply, device_cookie: string): void {
  reply.setCookie(DEVICE_COOKIE, device_cookie, { ...STRICT_COOKIE, maxAge: COOKIE_AGE_S });
}
