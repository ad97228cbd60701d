import type { Server, Socket } from 'node:net';

/** Connections and when their servers ended them. */
export type Ends = [connection: string, ended_at: number][];

/** Tells connections of several servers apart. */
export const nameConnection = (client_port = 0, server_port = 0) => `${client_port}>${server_port}`;

/** Returns a function that takes the ends since its last call. Only connections of these servers from now on count. */
export function watchEnds(servers: readonly Pick<Server, 'on'>[]): () => Ends {
  let ends: Ends = [];
  for (const server of servers)
    server.on('connection', (socket: Socket) => {
      const connection = nameConnection(socket.remotePort, socket.localPort);
      socket.once('close', () => ends.push([connection, Date.now()]));
    });
  return () => {
    const taken = ends;
    ends = [];
    return taken;
  };
}

/** Returns a function that tells whether a connection of this name ended at this time or later. */
export function rememberEnds(takeEnds: () => Promise<Ends>) {
  const ended_at = new Map<string, number>();
  return async (connection: string, since: number): Promise<boolean> => {
    for (const [ended, at] of await takeEnds()) ended_at.set(ended, at);
    return (ended_at.get(connection) ?? 0) >= since;
  };
}
