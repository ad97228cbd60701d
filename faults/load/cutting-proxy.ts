import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  port: number;
  /** How many replies were cut so far. */
  cuts(): number;
  close(): Promise<void>;
}

/**
 * A TCP proxy on 127.0.0.1 that passes every request on, but cuts the connection instead of some replies: the server has
 * done the work and the caller never hears of it. `share` is the chance of a cut for each piece of a reply, 0 to 1.
 */
export function startCuttingProxy(target_port: number, share: number): Promise<CuttingProxy> {
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server = createServer((caller) => {
    const target = connect({ port: target_port, host: 'localhost' });
    for (const socket of [caller, target]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    caller.pipe(target);
    target.on('data', (chunk) => {
      if (Math.random() >= share) {
        caller.write(chunk);
        return;
      }
      cuts += 1;
      caller.destroy();
      target.destroy();
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
