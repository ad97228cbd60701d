import type { FastifySchemaCompiler } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';

// `zod/mini` has no messages by default; with a locale a refusal says the problem, not just its place.
z.config(z.locales.en());

/** For endpoints without a query; a request without one skips the parser. */
export const NO_QUERY = z.strictObject({});

type Schema = Parameters<typeof validatorCompiler>[0]['schema'];

export const compileValidator: FastifySchemaCompiler<Schema> = (route) => {
  const validate = validatorCompiler(route);
  if (route.schema !== NO_QUERY) return validate;
  return (query: object) => (isEmpty(query) ? { value: query } : validate(query));
};

function isEmpty(object: object): boolean {
  for (const _key in object) return false;
  return true;
}

type SerializerCompiler = typeof serializerCompiler;

/**
 * Serialises replies by their schema. If `data`, or its only field, is a deeply frozen object (cached users are), its
 * text is made and checked once and cached as long as the object lives.
 */
export const compileSerializer: SerializerCompiler = (route) => {
  const serialize = serializerCompiler(route);
  const texts = new WeakMap<object, { field: string | undefined; text: string }>();
  return (reply: unknown) => {
    const { field, value } = soleValue((reply as { data?: unknown }).data);
    if (typeof value !== 'object' || value === null) return serialize(reply);
    const cached = texts.get(value);
    if (cached && cached.field === field) return cached.text;
    const text = serialize(reply);
    if (isDeeplyFrozen(value)) texts.set(value, { field, text });
    return text;
  };
};

interface SoleValue {
  field: string | undefined;
  value: unknown;
}

/** The value that determines the reply's text: that of the only field, with its name, else `data` itself. */
function soleValue(data: unknown): SoleValue {
  if (typeof data !== 'object' || data === null) return { field: undefined, value: undefined };
  let field: string | undefined;
  for (const key in data) {
    if (field !== undefined) return { field: undefined, value: data };
    field = key;
  }
  return { field, value: field === undefined ? data : (data as Record<string, unknown>)[field] };
}

function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}
