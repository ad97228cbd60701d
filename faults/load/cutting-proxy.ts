import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface CuttingProxy {
  port: number;
  /** The number of replies cut so far. */
  cuts(): number;
  close(): Promise<void>;
}

/**
 * A TCP proxy on 127.0.0.1 that passes every request on, but cuts the connection instead of some replies: the server
 * has done the work, but the caller does not learn of it. `target_port`: a function is called for each connection.
 * `share` is the chance of a cut for each piece of a reply, 0 to 1. `most_delay_ms`: each piece is delayed by up to that,
 * in order.
 */
export function startCuttingProxy(
  target_port: number | (() => number),
  share: number,
  most_delay_ms = 0,
): Promise<CuttingProxy> {
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server = createServer((caller) => {
    const port = typeof target_port === 'function' ? target_port() : target_port;
    const target = connect({ port, host: 'localhost' });
    for (const socket of [caller, target]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    caller.pipe(target);
    const pass = (chunk: Buffer) => {
      if (Math.random() >= share) {
        caller.write(chunk);
        return;
      }
      cuts += 1;
      caller.destroy();
      target.destroy();
    };
    let passed = Promise.resolve();
    target.on('data', (chunk: Buffer) => {
      if (most_delay_ms === 0) pass(chunk);
      else passed = passed.then(() => pause(Math.random() * most_delay_ms)).then(() => pass(chunk));
    });
    target.on('close', () => caller.destroy());
    caller.on('close', () => target.destroy());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address ? address.port : 0,
        cuts: () => cuts,
        close: () =>
          new Promise((closed) => {
            for (const socket of sockets) socket.destroy();
            server.close(() => closed());
          }),
      });
    });
  });
}
