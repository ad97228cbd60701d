import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { type Database, databaseErrorCode } from '../database/database.ts';
import { VERSION } from '../platform/version.ts';

/** PostgreSQL's errors of insufficient resources: a full disk, or no room for a temporary file. */
const OUT_OF_SPACE = /^53[14]/;

export interface Readiness {
  /** False while the server drains. */
  accepting: boolean;
}

/**
 * /healthz: the process answers, with its version. /readyz: its database also answers and has room to write, and the process is not
 * shutting down; otherwise 503 with a `reason`: `draining`, `database` or `disk_full`.
 */
export function mountHealth(app: FastifyInstance, database: Database, readiness: Readiness): void {
  let probe: Promise<string | undefined> | undefined;
  const findProblem = () => {
    probe ??= findDatabaseProblem(database).finally(() => {
      probe = undefined;
    });
    return probe;
  };
  app.get('/healthz', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok', version: VERSION }),
  );
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const reason = readiness.accepting ? await findProblem() : 'draining';
    reply.code(reason ? 503 : 200).header('cache-control', 'no-store');
    return reply.send(reason ? { status: 'unavailable', reason } : { status: 'ready' });
  });
}

async function findDatabaseProblem(database: Database): Promise<string | undefined> {
  try {
    await database.transaction().execute(async (trx) => {
      await sql`set local work_mem = '64kB'`.execute(trx);
      // Too much for `work_mem`, so PostgreSQL writes a temporary file, which a full disk refuses. Writing a row would
      // tell less: the row fits into an existing page.
      await sql`select count(*) from generate_series(1, 8000)`.execute(trx);
    });
    return undefined;
  } catch (error) {
    return OUT_OF_SPACE.test(databaseErrorCode(error) ?? '') ? 'disk_full' : 'database';
  }
}
