import { createServer } from 'node:net';

/**
 * Below the system's ephemeral range: from its few thousand ports, the system might hand out this port before the test
 * uses it, or while its server is down.
 */
const FIRST_PORT = 20_000;
const PORTS = 12_000;
/** Each process starts elsewhere, so that two test runners searching at once do not find the same port. */
const PORTS_A_PROCESS = 50;

let looked = process.pid * PORTS_A_PROCESS;

/** Returns a port of localhost on which no server is listening now. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < PORTS; attempt += 1) {
    const port = FIRST_PORT + (looked % PORTS);
    looked += 1;
    if (await isFree(port)) return port;
  }
  throw new Error('no port is free');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, 'localhost', () => probe.close(() => resolve(true)));
  });
}
