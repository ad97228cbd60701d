import { finished, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { EXPORT_ACTIVITIES_PATH, EXPORT_PATH, EXPORTS_A_DAY } from '@sendlap/contract/users.ts';
import { DAY_MS } from '@sendlap/domain/durations.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Database } from '#api/database/database.ts';
import { createAttemptLimit } from '#api/http/attempt-limit.ts';
import { acceptsGzip, GZIP } from '#api/http/compression/compress-replies.ts';
import { describeFileRoute } from '#api/http/document/describe-file-route.ts';
import type { Authenticator } from '#api/http/route.ts';
import { AppError } from '#api/platform/errors.ts';
import type { ExportService } from './export.ts';
import type { Spooled } from './spool.ts';

/** Those that were cut included: a client that always leaves at the end gets no more files than these. */
const EXPORTS_BEGUN_A_DAY = 6;

interface ExportFile {
  name: string;
  type: string;
  summary: string;
  content: z.ZodMiniType;
  write(user_id: string): Promise<Spooled>;
}

interface ExportsOptions {
  database: Database;
  authenticator: Authenticator;
  exports: ExportService;
}

/** Downloads, not envelopes: for the signed-in user, locked or not; both together at most twice a day. */
export function mountExports(app: FastifyInstance, { database, authenticator, exports }: ExportsOptions): void {
  const authenticate = async (request: FastifyRequest) => {
    request.session = await authenticator.authenticate(request, { while_locked: true });
  };
  const countExport = createExportCounter(database);
  const serve = (path: string, { name, type, summary, content, write }: ExportFile) => {
    const schema = describeFileRoute({
      path,
      summary,
      access: 'user',
      content: { [type.split(';')[0] ?? type]: content },
      errors: ['unauthenticated', 'too_many_requests'],
    });
    app.get(path, { schema, exposeHeadRoute: false, onRequest: authenticate }, async (request, reply) => {
      if (!request.session) throw new AppError('unauthenticated', 'Please sign in');
      const { user_id } = request.session;
      await countExport(user_id, reply);
      const spooled = await write(user_id);
      reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('vary', 'accept-encoding')
        .type(type);
      if (!acceptsGzip(request)) return reply.header('content-length', spooled.bytes).send(spooled.content);
      // The pipeline closes the file when the caller leaves.
      return reply.header('content-encoding', 'gzip').send(pipeline(spooled.content, createGzip(GZIP), () => {}));
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

/**
 * Counts an export from its begin, and takes it back if it fails or the reply is cut. Throws `too_many_requests`, and
 * then counts nothing.
 */
function createExportCounter(database: Database) {
  const per_day = createAttemptLimit(database, { name: 'exports', max: EXPORTS_A_DAY, window_ms: DAY_MS });
  const begun = createAttemptLimit(database, { name: 'exports begun', max: EXPORTS_BEGUN_A_DAY, window_ms: DAY_MS });

  return async (user_id: string, reply: FastifyReply): Promise<void> => {
    for (const limit of [per_day, begun]) {
      if (await limit.tryConsume(user_id)) continue;
      await per_day.refund(user_id);
      // A whole window, so that it is right for every caller.
      const refusal = { retry_after_s: DAY_MS / 1000 };
      throw new AppError('too_many_requests', 'Too many requests, please wait a little', refusal);
    }
    finished(reply.raw, (error) => {
      if (!error && reply.raw.statusCode < 400) return;
      per_day.refund(user_id).catch((problem) => reply.log.warn({ err: problem }, 'an export that was cut counts'));
    });
  };
}
