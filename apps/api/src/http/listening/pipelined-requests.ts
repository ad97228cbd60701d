import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { refusals } from '#api/platform/measurements.ts';

/** No browser and no proxy sends a request before the last one is answered, other than by mistake. */
const MAX_WAITING = 2;

/**
 * Ends a connection on which more requests arrive before the earlier ones are answered: whole replies wait for a client
 * that reads slowly, and one packet holds a thousand requests.
 */
export function limitPipelinedRequests(app: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>();
  app.addHook('onRequest', (request, reply, done) => {
    // The reply that is written now has the socket; those behind it get it later.
    if (reply.raw.socket !== null) return done();
    const { socket } = request.raw;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    reply.raw.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    if (count <= MAX_WAITING) return done();
    if (!socket.destroyed) {
      request.log.info({ code: 'too_many_requests' }, 'request refused: too many on one connection');
      refusals.report({ of: 'request', code: 'too_many_requests' });
    }
    reply.hijack();
    socket.destroy();
  });
}
