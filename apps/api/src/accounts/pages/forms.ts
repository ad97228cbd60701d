import type { FastifyReply, FastifyRequest } from 'fastify';
import { allowedOrigins } from '#api/http/allowed-origins.ts';
import { isFromAllowedOrigin } from '#api/http/authenticator.ts';
import { chooseLocale, type Locale } from '#api/http/pages/locale.ts';
import { AppError } from '#api/platform/errors.ts';

/** Hides the routes of pages from the OpenAPI document. */
export const HIDDEN_FROM_OPENAPI = { schema: { hide: true } };

/** Returns a field of a posted form or a query parameter; empty if it is missing or not text. */
export function readField(fields: unknown, name: string): string {
  const value: unknown = typeof fields === 'object' && fields !== null ? Reflect.get(fields, name) : undefined;
  return typeof value === 'string' ? value : '';
}

/** Throws `origin_not_allowed` if another site posted the form. */
export function assertFormOrigin(request: FastifyRequest, public_url: string): void {
  if (!isFromAllowedOrigin(request, new Set(allowedOrigins(public_url)))) {
    throw new AppError('origin_not_allowed', 'This form is for pages of this app only');
  }
}

/** Returns the language that the URL or form of a page outside a sign-in requests. */
export function requestedLocale(request: FastifyRequest): Locale {
  const requested = readField(request.body, 'ui_locales') || readField(request.query, 'ui_locales');
  return chooseLocale(requested, request.headers['accept-language']);
}

export function sendPage(reply: FastifyReply, headers: Record<string, string>, page: string): FastifyReply {
  return reply.headers(headers).type('text/html; charset=utf-8').send(page);
}
