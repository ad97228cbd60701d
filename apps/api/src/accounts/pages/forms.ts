import type { FastifyReply, FastifyRequest } from 'fastify';
import { allowedOrigins } from '#api/http/allowed-origins.ts';
import { comesFromOurPages } from '#api/http/gate.ts';
import { AppError } from '#api/platform/errors.ts';
import { chooseLocale, type Locale } from './texts.ts';

/** Routes of pages are in no description of the wire. */
export const HIDDEN = { schema: { hide: true } };

/** A field of a posted form, or a parameter of an address; empty when it is missing or no text. */
export function readField(fields: unknown, name: string): string {
  const value: unknown = typeof fields === 'object' && fields !== null ? Reflect.get(fields, name) : undefined;
  return typeof value === 'string' ? value : '';
}

/** Throws `origin_not_allowed` for a form that another site posts. */
export function refuseForeignForm(request: FastifyRequest, public_url: string): void {
  if (!comesFromOurPages(request, new Set(allowedOrigins(public_url)))) {
    throw new AppError('origin_not_allowed', 'This form is for pages of this app only');
  }
}

/** The language that a page outside of a sign-in was asked for, in its address or its form. */
export function localeOf(request: FastifyRequest): Locale {
  const asked = readField(request.body, 'ui_locales') || readField(request.query, 'ui_locales');
  return chooseLocale(asked, request.headers['accept-language']);
}

export function sendPage(reply: FastifyReply, headers: Record<string, string>, page: string): FastifyReply {
  return reply.headers(headers).type('text/html; charset=utf-8').send(page);
}
