import type { ServerResponse } from 'node:http';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../platform/errors.ts';

const RETRY_AFTER_S = 2;
/** Shorter than the total time of a shutdown: the streams end before it, and other resources close after it. */
const DRAIN_TIMEOUT_MS = 7_000;

/**
 * A closing server ends its live streams first, then finishes the pending requests, for some seconds at most; then
 * Fastify cuts all connections. Streams do not count as pending: they never end by themselves, and a reader may ignore
 * their end.
 */
export function drainBeforeClose(app: FastifyInstance, drain_timeout_ms = DRAIN_TIMEOUT_MS): void {
  const pending = new Set<ServerResponse>();
  let onIdle = () => {};
  // A hook, because `localhost` may have two addresses with a server each.
  app.addHook('onRequest', (request, { raw: response }, done) => {
    if (request.routeOptions.url !== EVENTS_PATH) {
      pending.add(response);
      response.once('close', () => {
        pending.delete(response);
        if (pending.size === 0) onIdle();
      });
    }
    done();
  });
  // A child's hooks run after the app's: a request behind a stream on one connection waits for the stream's end.
  app.register((child, _options, done) => {
    child.addHook('preClose', async () => {
      if (pending.size === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, drain_timeout_ms);
        onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    });
    done();
  });
}

/**
 * Answers requests that arrive during the shutdown with 503, so that a proxy sends them to another node. Fastify ends
 * their connections.
 */
export function rejectWhileClosing(app: FastifyInstance): void {
  let is_closing = false;
  app.addHook('preClose', (done) => {
    is_closing = true;
    done();
  });
  app.addHook('onRequest', (_request, _reply, done) => {
    if (!is_closing) return done();
    done(new AppError('unavailable', 'The service is not available just now', { retry_after_s: RETRY_AFTER_S }));
  });
}
