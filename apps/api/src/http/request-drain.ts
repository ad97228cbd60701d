import type { Server, ServerResponse } from 'node:http';
import net from 'node:net';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../platform/errors.ts';
import type { Readiness } from './health.ts';
import { attachToEachServer } from './listening/each-server.ts';

const RETRY_AFTER_S = 2;
/** Shorter than the total time of a shutdown: the streams end before it, and other resources close after it. */
const DRAIN_TIMEOUT_MS = 7_000;
/** Several times the turns that a full queue of connections takes. */
const MAX_TURNS = 5_000;
const QUIET_TURN_MS = 0.1;

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

/**
 * While the server drains, each reply ends its connection: a proxy keeps none open on which its next request could meet
 * the end of the server.
 */
export function endConnectionsWhileDraining(app: FastifyInstance, readiness: Readiness): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (!readiness.accepting) reply.header('connection', 'close');
    done();
  });
}

/**
 * Returns a function that stops listening, and leaves open connections as they are: every proxy sends a request whose
 * connection is refused to another node, but not one that was answered 503, nor a POST whose connection was reset. Call
 * it before the app listens.
 */
export function createListeningStop(app: FastifyInstance): () => Promise<void> {
  const servers = new Set<Server>();
  let restorers: (() => void)[] = [];
  attachToEachServer(app, (server) => void servers.add(server));
  // A child that is registered later than that of `drainBeforeClose`: its hook runs after the wait.
  app.register((child, _options, done) => {
    child.addHook('preClose', async () => {
      for (const restore of restorers) restore();
    });
    done();
  });
  return async () => {
    await acceptWaiting(servers);
    restorers = [...servers].map(stopListening);
  };
}

/**
 * Lets the servers accept what waits in their queues: the end of listening would reset it. Node accepts one connection
 * in each turn of its loop. Resolves after a turn that was too short for the next connection, if there is one.
 */
async function acceptWaiting(servers: Iterable<Server>): Promise<void> {
  let has_accepted = false;
  const onConnection = () => {
    has_accepted = true;
  };
  for (const server of servers) server.on('connection', onConnection);
  let turned_at = 0;
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const is_quiet = !has_accepted && performance.now() - turned_at < QUIET_TURN_MS;
    if (is_quiet) break;
    has_accepted = false;
    turned_at = performance.now();
    await new Promise(setImmediate);
  }
  for (const server of servers) server.off('connection', onConnection);
}

/**
 * Returns a function that restores the listeners of `close`: at that event of the first address, Fastify cuts the
 * connections of the second one, whose requests may not be answered yet.
 */
function stopListening(server: Server): () => void {
  const listeners = server.rawListeners('close') as (() => void)[];
  server.removeAllListeners('close');
  // Not `server.close()`, which cuts idle connections too.
  net.Server.prototype.close.call(server);
  return () => {
    for (const listener of listeners) server.on('close', listener);
  };
}
