import type { ZodMiniType } from 'zod/mini';

interface FileDescription {
  path: string;
  summary: string;
  access: 'anyone' | 'user';
  /** Content type → what it holds. */
  content: Record<string, ZodMiniType>;
}

/** The schema of a route whose reply is no envelope, for the OpenAPI document; it checks nothing. */
export function describeFile({ path, summary, access, content }: FileDescription) {
  const types = Object.entries(content).map(([type, schema]) => [type, { schema }]);
  return {
    summary,
    tags: [path.split('/')[2] ?? ''],
    ...(access === 'user' ? { security: [{ bearer: [] }] } : {}),
    response: { 200: { description: summary, content: Object.fromEntries(types) } },
  };
}
