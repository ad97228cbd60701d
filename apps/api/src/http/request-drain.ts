import type { ServerResponse } from 'node:http';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../platform/errors.ts';

const RETRY_AFTER_S = 2;
/** Shorter than the total time of a shutdown: the streams end before it, and other resources close after it. */
const FINISH_MS = 7_000;

/**
 * A closing server ends its live streams first, then finishes the pending requests, for some seconds at most; then
 * Fastify cuts all connections. Streams do not count as pending: they never end by themselves, and a reader may ignore
 * their end.
 */
export function finishBeforeClose(app: FastifyInstance, finish_ms = FINISH_MS): void {
  const under_way = new Set<ServerResponse>();
  let onIdle = () => {};
  // A hook, because `localhost` may have two addresses with a server each.
  app.addHook('onRequest', (request, { raw: response }, done) => {
    if (request.routeOptions.url !== EVENTS_PATH) {
      under_way.add(response);
      response.once('close', () => {
        under_way.delete(response);
        if (under_way.size === 0) onIdle();
      });
    }
    done();
  });
  // A child's hooks run after the app's: a request behind a stream on one connection waits for the stream's end.
  app.register((child, _options, done) => {
    child.addHook('preClose', async () => {
      if (under_way.size === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, finish_ms);
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
export function refuseWhileClosing(app: FastifyInstance): void {
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
