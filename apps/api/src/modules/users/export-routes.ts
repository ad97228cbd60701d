import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { EXPORT_ACTIVITIES_PATH, EXPORT_PATH, EXPORTS_A_DAY } from '@sendlap/contract/users.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { acceptsGzip, GZIP } from '#api/http/compression/compress-replies.ts';
import { describeFileRoute } from '#api/http/document/describe-file-route.ts';
import type { LimitRequests } from '#api/http/request-limit.ts';
import type { Authenticator } from '#api/http/route.ts';
import { AppError } from '#api/platform/errors.ts';
import type { ExportService } from './export.ts';
import type { Spooled } from './spool.ts';

const DAY_S = 86_400;

interface ExportFile {
  name: string;
  type: string;
  summary: string;
  content: z.ZodMiniType;
  write(user_id: string): Promise<Spooled>;
}

interface ExportsOptions {
  authenticator: Authenticator;
  exports: ExportService;
  limitRequests: LimitRequests;
}

/** Downloads, not envelopes: for the signed-in user, locked or not; both together at most twice a day. */
export function mountExports(app: FastifyInstance, { authenticator, exports, limitRequests }: ExportsOptions): void {
  const authenticate = async (request: FastifyRequest) => {
    request.session = await authenticator.authenticate(request, { while_locked: true });
  };
  const limit = limitRequests('exports', { max: EXPORTS_A_DAY, window_s: DAY_S });
  const serve = (path: string, { name, type, summary, content, write }: ExportFile) => {
    const schema = describeFileRoute({
      path,
      summary,
      access: 'user',
      content: { [type.split(';')[0] ?? type]: content },
      errors: ['unauthenticated', 'too_many_requests'],
    });
    app.get(path, { schema, exposeHeadRoute: false, onRequest: [authenticate, limit] }, async (request, reply) => {
      if (!request.session) throw new AppError('unauthenticated', 'Please sign in');
      const { bytes, content } = await write(request.session.user_id);
      reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('vary', 'accept-encoding')
        .type(type);
      if (!acceptsGzip(request)) return reply.header('content-length', bytes).send(content);
      // The pipeline closes the file when the caller leaves.
      return reply.header('content-encoding', 'gzip').send(pipeline(content, createGzip(GZIP), () => {}));
    });
  };
  serve(EXPORT_PATH, {
    name: 'sendlap-export.json',
    type: 'application/json; charset=utf-8',
    summary: 'All data of the caller',
    content: z.looseObject({}),
    write: exports.exportMe,
  });
  serve(EXPORT_ACTIVITIES_PATH, {
    name: 'sendlap-activities.csv',
    type: 'text/csv; charset=utf-8; header=present',
    summary: 'The activities of the caller as a table',
    content: z.string(),
    write: exports.exportActivities,
  });
}
