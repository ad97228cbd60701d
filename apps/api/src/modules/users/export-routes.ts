import { EXPORT_ACTIVITIES_PATH, EXPORT_PATH, EXPORTS_A_DAY } from '@sendlap/contract/users.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#api/platform/errors.ts';
import type { Gate } from '#api/platform/route.ts';
import type { ExportService } from './export.ts';
import type { Spooled } from './spool.ts';

const DAY_MS = 86_400_000;

/** Files, not envelopes: for the signed-in user, locked or not, both together at most twice a day. */
export function mountExports(app: FastifyInstance, gate: Gate, exports: ExportService): void {
  const authenticate = async (request: FastifyRequest) => {
    request.session = await gate.authenticate(request, { while_locked: true });
  };
  const limit = app.rateLimit({ max: EXPORTS_A_DAY, timeWindow: DAY_MS });
  const serve = (path: string, name: string, type: string, write: (user_id: string) => Promise<Spooled>) => {
    app.get(
      path,
      { schema: { hide: true }, exposeHeadRoute: false, onRequest: [authenticate, limit] },
      async (request, reply) => {
        if (!request.session) throw new AppError('unauthenticated', 'Please sign in');
        return send(reply, await write(request.session.user_id), { name, type });
      },
    );
  };
  serve(EXPORT_PATH, 'sendlap-export.json', 'application/json; charset=utf-8', exports.exportMe);
  serve(EXPORT_ACTIVITIES_PATH, 'sendlap-activities.csv', 'text/csv; charset=utf-8; header=present', (user_id) =>
    exports.exportActivities(user_id),
  );
}

function send(
  reply: FastifyReply,
  { bytes, content }: Spooled,
  { name, type }: { name: string; type: string },
): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('content-length', bytes)
    .type(type)
    .send(content);
}
