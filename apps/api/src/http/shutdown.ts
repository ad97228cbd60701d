import type { FastifyBaseLogger } from 'fastify';
import type { Readiness } from './health.ts';

export const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const CLOSE_TIMEOUT_MS = 10_000;
/** A proxy that has just connected needs a moment to send its request. */
const ARRIVAL_MS = 500;

interface ShutdownOptions {
  app: { close(): PromiseLike<unknown> };
  /** New connections are refused from then on; a proxy then sends the request to another node. */
  stopListening: () => Promise<void>;
  readiness: Readiness;
  logger: Pick<FastifyBaseLogger, 'info' | 'error'>;
  /** How long a proxy may take to notice that /readyz fails and to send its requests elsewhere. */
  drain_ms: number;
  /** Run in order once the last request has been answered. */
  cleanups: (() => Promise<void>)[];
}

/**
 * SIGTERM, SIGINT: not ready → wait → refuse connections → finish pending requests (at most 10 s) → close the database →
 * exit.
 */
export function closeOnSignal(options: ShutdownOptions): void {
  let closing = false;
  const close = async () => {
    if (closing) return;
    closing = true;
    await runShutdown(options);
    process.exit(0);
  };
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      close().catch((error: unknown) => {
        options.logger.error({ err: error }, 'could not close cleanly');
        process.exit(1);
      });
    });
  }
}

/** Runs the shutdown up to the exit. `wait`: resolves after that many milliseconds. */
export async function runShutdown(options: ShutdownOptions, wait = pause): Promise<void> {
  const { app, stopListening, readiness, logger, drain_ms, cleanups } = options;
  readiness.accepting = false;
  logger.info({ drain_ms }, 'draining');
  if (drain_ms > 0) await wait(drain_ms);
  await stopListening();
  if (drain_ms > 0) await wait(ARRIVAL_MS);
  await Promise.race([app.close(), wait(CLOSE_TIMEOUT_MS)]);
  for (const cleanup of cleanups) await cleanup();
}

function pause(duration_ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, duration_ms).unref());
}
