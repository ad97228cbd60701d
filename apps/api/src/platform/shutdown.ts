import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Readiness } from './health.ts';

/** Long enough for a balancer to see /readyz fail before the port closes. */
const DRAIN_MS = 500;
const FINISH_MS = 10_000;

interface ShutdownOptions {
  app: FastifyInstance;
  readiness: Readiness;
  logger: FastifyBaseLogger;
  /** Run in order once the last request is answered. */
  afterwards: (() => Promise<void>)[];
}

/** SIGTERM, SIGINT: not ready → wait → finish what runs (at most 10 s) → close the database → exit. */
export function closeOnSignal({ app, readiness, logger, afterwards }: ShutdownOptions): void {
  let closing = false;
  const close = async () => {
    if (closing) return;
    closing = true;
    readiness.accepting = false;
    logger.info('draining');
    await pause(DRAIN_MS);
    await Promise.race([app.close(), pause(FINISH_MS)]);
    for (const step of afterwards) await step();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      close().catch((error: unknown) => {
        logger.error({ err: error }, 'could not close cleanly');
        process.exit(1);
      });
    });
  }
}

function pause(duration_ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, duration_ms).unref());
}
