import { gunzipSync } from 'node:zlib';
import { GENERAL_ERRORS } from '@sendlap/contract/wire/endpoint-errors.ts';
import type { FastifyInstance } from 'fastify';

const FIRST_ERROR_STATUS = 400;

/** Watches the refusals of an app. Returns a function that throws if a call had a code that it does not declare. */
export function watchErrorCodes(app: FastifyInstance): () => void {
  const undeclared = new Set<string>();
  app.addHook('onSend', (request, reply, payload, done) => {
    const { method, schema, url } = request.routeOptions;
    const declared: string[] | undefined = schema?.['x-error-codes'];
    if (declared && reply.statusCode >= FIRST_ERROR_STATUS) {
      const is_compressed = reply.getHeader('content-encoding') === 'gzip';
      const text = String(is_compressed ? gunzipSync(payload as Buffer) : payload);
      const { code = '' } = JSON.parse(text) as { code?: string };
      if (![...GENERAL_ERRORS, ...declared].includes(code)) undeclared.add(`${method} ${url}: ${code}`);
    }
    done();
  });
  return () => {
    if (undeclared.size > 0) throw new Error(`add to \`errors\` of the contract: ${[...undeclared].join(', ')}`);
  };
}
