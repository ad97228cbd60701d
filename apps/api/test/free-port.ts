import { createServer } from 'node:net';

/**
 * Below those that the system gives out: of some thousands it draws one for each who asks, which may be this one before
 * it is used, or while its server is away.
 */
const FIRST_PORT = 20_000;
const PORTS = 12_000;
/** Each process begins elsewhere: two test runners that look at once must not find the same one. */
const PORTS_A_PROCESS = 50;

let looked = process.pid * PORTS_A_PROCESS;

/** A port of localhost that nobody listens on just now. */
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
