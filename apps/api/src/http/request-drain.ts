import type { ServerResponse } from 'node:http';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../platform/errors.ts';

const RETRY_AFTER_S = 2;
/** Short of what a process that ends waits in all: before it the streams end, and after it comes what else is to be closed. */
const FINISH_MS = 7_000;

/**
 * A server that closes first ends its live streams, then answers what is under way, for some seconds at most; then Fastify
 * cuts all connections. Streams do not count: they have no end of their own, and a reader may not take the one they are given.
 */
export function finishBeforeClose(app: FastifyInstance, finish_ms = FINISH_MS): void {
  const under_way = new Set<ServerResponse>();
  let onIdle = () => {};
  // A hook, for `localhost` may be two addresses with a server each.
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
  // A child's hooks come after those of the app: what is asked behind a stream on one connection waits for the stream's end.
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

/** Requests that come in while the server closes get 503, which a proxy sends to another node. Fastify ends their connections. */
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
