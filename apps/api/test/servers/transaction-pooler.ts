import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

const NOTIFICATION = 'A'.charCodeAt(0);
const HEADER_BYTES = 5;

/**
 * A proxy to the PostgreSQL of `url` (on a unix socket) that loses what PgBouncer loses in transaction mode: an idle
 * client gets no notification, because no session of PostgreSQL belongs to it.
 */
export async function openTransactionPooler(url: string): Promise<{ url: string; close(): void }> {
  const folder = new URL(url).searchParams.get('host');
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect({ path: `${folder}/.s.PGSQL.5432` });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => other.destroy());
    }
    near.pipe(far);
    far.pipe(dropNotifications()).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = new URL(url);
  address.search = '';
  address.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: String(address),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Passes PostgreSQL's messages on, each whole, without the notifications. */
function dropNotifications(): Transform {
  let rest = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= HEADER_BYTES) {
        const size = 1 + rest.readInt32BE(1);
        if (rest.length < size) break;
        if (rest[0] !== NOTIFICATION) this.push(rest.subarray(0, size));
        rest = rest.subarray(size);
      }
      done();
    },
  });
}
