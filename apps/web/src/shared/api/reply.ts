import { isRecord } from '@sendlap/contract/wire/json-record.ts';
import type * as z from 'zod/mini';
import { ApiError, type ErrorDetail } from './errors.ts';

const MAX_DATA_LEVELS = 2;

export type Json = Record<string, unknown>;

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * Returns the data of a successful reply, wrapped in `data` once, twice or not at all: the first level that the schema
 * accepts, starting with the envelope's. Throws ApiError UNKNOWN_ERROR with the refused fields if the schema accepts
 * none.
 */
export function readData<S extends z.ZodMiniType>(schema: S, body: unknown, status: number): z.output<S> {
  const levels = dataLevels(body);
  let refused: ErrorDetail[] = [];
  for (const [index, level] of levels.entries()) {
    const parsed = schema.safeParse(level);
    if (parsed.success) return parsed.data;
    if (index === 0) refused = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  }
  throw new ApiError({ code: 'UNKNOWN_ERROR', status, details: refused });
}

/** An envelope marks its content as the data; a bare reply is tried unchanged first. */
function dataLevels(body: unknown): unknown[] {
  const levels = [body];
  let level = body;
  for (let depth = 0; depth < MAX_DATA_LEVELS && isRecord(level) && 'data' in level; depth++) {
    level = level.data;
    levels.push(level);
  }
  const enveloped = isRecord(body) && typeof body.success === 'boolean' && levels.length > 1;
  return enveloped ? levels.slice(1) : levels;
}

/** Returns true for an envelope that reports a failure despite a success status. */
export function isFailure(body: unknown): boolean {
  return isRecord(body) && body.success === false;
}

/** Returns the server's message, code and refused fields, from any error format that servers use. */
export function readFailure(body: unknown): {
  message: string | undefined;
  backend_error: string | null;
  details: ErrorDetail[];
  is_enveloped: boolean;
} {
  if (!isRecord(body)) return { message: undefined, backend_error: null, details: [], is_enveloped: false };
  const nested = isRecord(body.error) ? body.error : {};
  const message = textOf(body.message) ?? textOf(body.detail) ?? textOf(nested.message) ?? textOf(body.error);
  const backend_error = textOf(body.code) ?? textOf(nested.code) ?? textOf(body.error) ?? null;
  const is_enveloped = isFailure(body) || message !== undefined || backend_error !== null;
  return { message, backend_error, details: readDetails(body.details), is_enveloped };
}

function readDetails(details: unknown): ErrorDetail[] {
  if (!Array.isArray(details)) return [];
  return details
    .filter(isRecord)
    .map((detail) => ({ path: String(detail.path ?? ''), message: String(detail.message ?? '') }));
}
