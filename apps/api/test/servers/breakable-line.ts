import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { findFreePort } from '../free-port.ts';

/**
 * A proxy to the PostgreSQL of `url` (on a unix socket), or to a server on a port of this machine, that can break:
 * while it is broken, connections are refused, as with a server that is down. It can also go silent: open connections
 * stay open, but carry no more bytes.
 */
export async function openBreakableLine(url: string): Promise<{
  url: string;
  break(): Promise<void>;
  mend(): Promise<void>;
  hush(): void;
  close(): Promise<void>;
}> {
  const target = new URL(url);
  const folder = target.searchParams.get('host');
  const address = folder ? { path: `${folder}/.s.PGSQL.5432` } : { port: Number(target.port), host: target.hostname };
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(address);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  // A port that no other server is given while the proxy is broken.
  const port = await findFreePort();
  await listen(port);
  const line = new URL(url);
  line.search = '';
  line.host = `127.0.0.1:${port}`;
  const end = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: String(line),
    break: end,
    mend: () => listen(port),
    hush() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: end,
  };
}
