import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import type { ZodMiniType } from 'zod/mini';

interface FileRoute {
  path: string;
  summary: string;
  access: 'anyone' | 'user';
  /** Schema of the content by content type. */
  content: Record<string, ZodMiniType>;
  /** Codes of its refusals, besides those of any call. */
  errors: ErrorCode[];
}

/** Returns the OpenAPI schema of a route that replies without the envelope; it validates nothing. */
export function describeFileRoute({ path, summary, access, content, errors }: FileRoute) {
  const types = Object.entries(content).map(([type, schema]) => [type, { schema }]);
  return {
    summary,
    tags: [path.split('/')[2] ?? ''],
    ...(access === 'user' ? { security: [{ bearer: [] }] } : {}),
    'x-error-codes': errors,
    response: { 200: { description: summary, content: Object.fromEntries(types) } },
  };
}
