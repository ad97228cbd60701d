import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { attachToEachServer } from './each-server.ts';

/** The first byte of every TLS connection: a record of the type "handshake". */
const TLS_HANDSHAKE = 0x16;
/** How long a connection may stay silent before its first byte, and how long a request may take to arrive. */
const ARRIVAL_TIMEOUT_MS = 10_000;

/**
 * Lets an app with TLS also answer plain http at its port, by `listener`: who typed `http://` reads what to do instead
 * of the browser's "empty response".
 */
export function answerPlainHttp(app: FastifyInstance, listener: RequestListener): void {
  const timeouts = { requestTimeout: ARRIVAL_TIMEOUT_MS, headersTimeout: ARRIVAL_TIMEOUT_MS };
  const plain = createServer(timeouts, listener);
  plain.maxRequestsPerSocket = 1;
  const silent = new Set<Socket>();
  attachToEachServer(app, (server) => {
    const acceptTls = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      silent.add(socket);
      readFirstByte(socket, (first) => {
        silent.delete(socket);
        if (first === TLS_HANDSHAKE) for (const accept of acceptTls) accept.call(server, socket);
        else if (first !== undefined) plain.emit('connection', socket);
      });
    });
  });
  // Otherwise the end of the server would wait for them.
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy();
    plain.closeAllConnections();
  });
}

/** Calls `done` with the first byte, which can be read again, or with undefined if the connection ends without one. */
function readFirstByte(socket: Socket, done: (first: number | undefined) => void): void {
  const end = () => socket.destroy();
  const closed = () => done(undefined);
  socket.setTimeout(ARRIVAL_TIMEOUT_MS, end).on('error', end).once('close', closed);
  socket.once('readable', () => {
    const byte = socket.read(1) as Buffer | null;
    if (byte === null) return end();
    socket.setTimeout(0).off('timeout', end).off('error', end).off('close', closed);
    socket.unshift(byte);
    done(byte[0]);
  });
}
