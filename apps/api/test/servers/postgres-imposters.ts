import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

interface Imposter {
  /** The address for DATABASE_URL. */
  url: string;
  close(): void;
}

/** A PostgreSQL that refuses every connection with this code. */
export function openRefusingPostgres(code: string, text: string): Promise<Imposter> {
  return listen((socket) => {
    socket.once('data', () => socket.end(message('E', `SFATAL\0C${code}\0M${text}\0\0`)));
  });
}

/** A PostgreSQL of this version: it lets everyone in and answers every query with its version. */
export function openOldPostgres(version: string): Promise<Imposter> {
  const column = Buffer.concat([Buffer.from('version\0'), Buffer.alloc(6), int32(25), Buffer.alloc(8)]);
  const ready = message('Z', 'I');
  const row = Buffer.concat([
    message('T', Buffer.concat([int16(1), column])),
    message('D', Buffer.concat([int16(1), int32(version.length), Buffer.from(version)])),
    message('C', 'SELECT 1\0'),
    ready,
  ]);
  return listen((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', int32(0)), message('S', `server_version\0${version}\0`), ready]));
      socket.on('data', (request) => {
        // A simple query, or an extended one up to its Sync.
        if (request[0] === 'Q'.charCodeAt(0)) socket.write(row);
        else if (request[0] === 'P'.charCodeAt(0))
          socket.write(Buffer.concat([message('1', ''), message('2', ''), row]));
      });
    });
  });
}

async function listen(serve: (socket: Socket) => void): Promise<Imposter> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://ada:wrong@127.0.0.1:${port}/sendlap`, close: () => server.close() };
}

/** A message of PostgreSQL's protocol: type, length, body. */
function message(type: string, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body as string);
  return Buffer.concat([Buffer.from(type), int32(4 + bytes.length), bytes]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
