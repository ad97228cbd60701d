import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { isLocalHost } from '../platform/local-hosts.ts';

/** An address of the documentation (RFC 5737): only the route to it is read, nothing is sent. */
const ROUTE_PROBE_ADDRESS = '203.0.113.1';

/** Returns this machine's own IPv4 addresses and names in the local network. */
export function listLocalHosts(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const ipv4 = addresses.filter(({ family }) => family === 'IPv4').map(({ address }) => address);
  const name = hostname().toLowerCase().replace(/\..*$/, '');
  const names = /^[a-z\d-]{1,63}$/.test(name) ? [`${name}.local`] : [];
  return ['localhost', ...names, ...ipv4].filter(isLocalHost);
}

/**
 * Returns the IPv4 address of the network interface that leads to the local network, as other devices reach it;
 * undefined without a network. With several interfaces it is the one of the default route.
 */
export async function findLocalAddress(): Promise<string | undefined> {
  const routed = await findRoutedAddress();
  if (routed !== undefined && isLocalHost(routed)) return routed;
  return listLocalHosts().find((host) => isIPv4(host) && !host.startsWith('127.'));
}

function findRoutedAddress(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const finish = (address?: string) => {
      socket.close();
      resolve(address);
    };
    socket.once('error', () => finish());
    socket.once('connect', () => finish(socket.address().address));
    socket.connect(9, ROUTE_PROBE_ADDRESS);
  });
}
