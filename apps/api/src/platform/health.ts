import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from './database.ts';

export interface Readiness {
  /** False while the server starts or drains. */
  accepting: boolean;
}

/** /healthz: the process answers. /readyz: it also reaches its database and is not on its way out. */
export function mountHealth(app: FastifyInstance, database: Database, readiness: Readiness): void {
  app.get('/healthz', { schema: { hide: true } }, async (_request, reply) => reply.send({ status: 'ok' }));
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const reason = readiness.accepting ? await databaseProblem(database) : 'draining';
    return reply.code(reason ? 503 : 200).send(reason ? { status: 'unavailable', reason } : { status: 'ready' });
  });
}

async function databaseProblem(database: Database): Promise<string | undefined> {
  try {
    await sql`select 1`.execute(database);
    return undefined;
  } catch {
    return 'database';
  }
}
