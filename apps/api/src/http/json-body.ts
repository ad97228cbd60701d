import type { FastifyInstance } from 'fastify';
import { AppError } from '../platform/errors.ts';

const MAX_DEPTH = 20;
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Strict JSON bodies: fatal UTF-8, at most 20 levels, no U+0000 and no lone surrogates (PostgreSQL cannot store them),
 * no __proto__ keys.
 */
export function acceptStrictJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseStrictJson(body as Buffer));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)), undefined);
    }
  });
}

function parseStrictJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(body));
  } catch (error) {
    throw new AppError('bad_request', 'The body is not valid JSON in UTF-8', { cause: error });
  }
  assertStorable(value, 0);
  return value;
}

function assertStorable(value: unknown, depth: number): void {
  if (typeof value === 'string') assertStorableText(value);
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) throw new AppError('bad_request', `The body is nested deeper than ${MAX_DEPTH} levels`);
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') throw new AppError('bad_request', 'The body has a forbidden key');
    assertStorableText(key);
    assertStorable(inner, depth + 1);
  }
}

/** Throws for text that could not be stored unchanged. */
export function assertStorableText(text: string): void {
  if (text.includes('\u0000') || !text.isWellFormed()) {
    throw new AppError('bad_request', 'Text must not hold U+0000 or lone surrogates');
  }
}
