import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { attachToEachServer } from './each-server.ts';

/** The first byte of every TLS connection: a record of the type "handshake". */
const TLS_HANDSHAKE = 0x16;
/** How long a connection may last without TLS; a TLS handshake has to end in this time too. */
const NON_TLS_TIMEOUT_MS = 10_000;

/**
 * Lets an app with TLS also answer plain http at its port, by `listener`: a browser that opens `http://` gets a page
 * instead of an empty reply.
 */
export function answerPlainHttp(app: FastifyInstance, listener: RequestListener): void {
  const plain = createServer((request, response) => {
    response.shouldKeepAlive = false;
    response.once('finish', () => request.socket.end());
    listener(request, response);
  });
  /** Sockets without TLS, or whose handshake has not ended. Node neither limits them nor closes them with the server. */
  const non_tls_sockets = new Set<Socket>();
  attachToEachServer(app, (server) => {
    const acceptTls = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    /** By address, which the raw socket and the socket of 'secureConnection' share. */
    const handshakes = new Map<string, () => void>();
    server.on('secureConnection', (socket: Socket) => handshakes.get(addressOf(socket))?.());
    server.on('connection', (socket: Socket) => {
      const address = addressOf(socket);
      const destroy = () => void socket.destroy();
      const deadline = setTimeout(destroy, NON_TLS_TIMEOUT_MS).unref();
      const forget = () => {
        clearTimeout(deadline);
        non_tls_sockets.delete(socket);
        if (handshakes.get(address) === forget) handshakes.delete(address);
      };
      non_tls_sockets.add(socket);
      socket.on('error', destroy).once('close', forget);
      socket.once('readable', () => {
        const first_byte = socket.read(1) as Buffer | null;
        if (first_byte === null) return destroy();
        socket.unshift(first_byte);
        if (first_byte[0] !== TLS_HANDSHAKE) return plain.emit('connection', socket);
        handshakes.set(address, forget);
        for (const accept of acceptTls) accept.call(server, socket);
      });
    });
  });
  // Otherwise `close` would wait for them.
  app.addHook('preClose', async () => {
    for (const socket of non_tls_sockets) socket.destroy();
  });
}

/** Returns both ends of a connection: no two open ones have the same. */
function addressOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return [remoteAddress, remotePort, localAddress, localPort].join(' ');
}
