import { createServer, type Server } from 'node:net';

/**
 * Below the system's ephemeral range: from its few thousand ports, the system might hand out this port before the test
 * uses it, or while its server is down.
 */
const FIRST_PORT = 20_000;
const PORTS = 12_000;
const PORTS_A_PROCESS = 50;

/** The ports of this process. A test file may load this module again, so they are kept beside its modules. */
interface OwnPorts {
  first: number;
  looked: number;
  /** Listens on the first of them until the process ends, so that no other process takes the rest. */
  guard: Server;
}

const shared = globalThis as { sendlap_test_ports?: Promise<OwnPorts> };

/**
 * Returns a port of localhost on which no server is listening now. No other process gets it from here while this one
 * runs: a server takes seconds from here to its listening.
 */
export async function findFreePort(): Promise<number> {
  shared.sendlap_test_ports ??= claimPorts();
  const own = await shared.sendlap_test_ports;
  for (let attempt = 1; attempt < PORTS_A_PROCESS; attempt += 1) {
    const port = own.first + 1 + (own.looked % (PORTS_A_PROCESS - 1));
    own.looked += 1;
    const probe = await listen(port);
    if (!probe) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
  throw new Error('no port is free');
}

async function claimPorts(): Promise<OwnPorts> {
  for (let attempt = 0; attempt < PORTS / PORTS_A_PROCESS; attempt += 1) {
    const first = FIRST_PORT + (((process.pid + attempt) * PORTS_A_PROCESS) % PORTS);
    const guard = await listen(first);
    if (guard) return { first, looked: 0, guard: guard.unref() };
  }
  throw new Error('all ports of tests belong to running processes');
}

function listen(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, 'localhost', () => resolve(server));
  });
}
