import type { Server, Socket } from 'node:net';

/** A connection at the server's end. */
export interface ServerEnd {
  accepted_at: number;
  ended_at?: number;
}

/** That a server has accepted or ended a connection. */
export type Change = [connection: string, at: number, what: 'accepted' | 'ended'];

/** Undefined: the server has accepted no such connection since then. */
export type LookUp = (connection: string, since: number) => Promise<ServerEnd | undefined>;

/** Tells connections of several servers apart. */
export const nameConnection = (client_port = 0, server_port = 0) => `${client_port}>${server_port}`;

/** Returns a function that takes the changes since its last call. */
export function watchConnections(servers: readonly Pick<Server, 'on'>[]): () => Change[] {
  let changes: Change[] = [];
  for (const server of servers)
    server.on('connection', (socket: Socket) => {
      const connection = nameConnection(socket.remotePort, socket.localPort);
      changes.push([connection, Date.now(), 'accepted']);
      socket.once('close', () => changes.push([connection, Date.now(), 'ended']));
    });
  return () => {
    const taken = changes;
    changes = [];
    return taken;
  };
}

export function rememberConnections(takeChanges: () => Promise<Change[]>): LookUp {
  const ends = new Map<string, ServerEnd>();
  let latest: Change[] = [];
  return async (connection, since) => {
    const changes = await takeChanges();
    // Several callers may get the same ones.
    if (changes !== latest)
      for (const [name, at, what] of changes)
        ends.set(
          name,
          what === 'accepted' ? { accepted_at: at } : { accepted_at: at, ...ends.get(name), ended_at: at },
        );
    latest = changes;
    const end = ends.get(connection);
    return end && end.accepted_at >= since ? end : undefined;
  };
}
