import { createServer } from 'node:net';
import { databaseErrorCode } from '#api/database/database.ts';
import { StartError } from '#api/platform/start-error.ts';

/** An address to listen at. */
export interface ListenAddress {
  port: number;
  host: string;
}

/**
 * Listens for a moment, so that a start that cannot listen fails before it writes anything. Throws a StartError that
 * names the host's or the port's setting, for errors that the operator can fix.
 */
export async function assertCanListen(address: ListenAddress, setting = 'PORT'): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(address, resolve);
    });
  } catch (error) {
    throw explainListenError(error, address, setting);
  }
  await new Promise((resolve) => server.close(resolve));
}

/**
 * Returns a StartError for an error of `listen` that the operator can fix, other errors unchanged. `setting`: that of the
 * port.
 */
export function explainListenError(error: unknown, { port, host }: ListenAddress, setting = 'PORT'): unknown {
  const host_setting = setting === 'METRICS_PORT' ? 'METRICS_HOST' : 'HOST';
  switch (databaseErrorCode(error)) {
    case 'EADDRINUSE':
      return new StartError(
        `${setting}: port ${port} on ${host} is taken: stop the program that uses it, or set ${setting} to another one`,
      );
    case 'EACCES':
      return new StartError(
        `${setting}: this account may not listen on port ${port}: set ${setting} to 1024 or more and have port ${port} forwarded to it, put a proxy in front, or give Node the capability CAP_NET_BIND_SERVICE`,
      );
    case 'EADDRNOTAVAIL':
      return new StartError(
        `${host_setting}: ${host} is not an address of this machine: set ${host_setting} to one of its own, or to 0.0.0.0 for all of them`,
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(
        `${host_setting}: the name ${host} has no address: set ${host_setting} to an address of this machine`,
      );
    default:
      return error;
  }
}
