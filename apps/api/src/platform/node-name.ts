import { hostname } from 'node:os';

/** Names this server process in logs, and to the other nodes: the machine and the port. */
export function nodeName({ PORT }: { PORT: number }): string {
  return `${hostname()}:${PORT}`;
}
