import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { SourceUnfit } from './source-faults.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Addresses that only mean something here: this machine, its network, multicast, and such as carry an IPv4 inside. One
 * written as ::ffff:1.2.3.4 is checked as 1.2.3.4.
 */
const PRIVATE_NETWORKS = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE_NETWORKS.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const) {
  PRIVATE_NETWORKS.addSubnet(network, prefix, 'ipv6');
}

/**
 * Asks the address, and those it sends on to. Throws SourceUnfit for one that `mayFollow` refuses, and where there is
 * no end to them; rejects as `fetch` does.
 */
export async function fetchFollowing(address: string, init: RequestInit): Promise<Response> {
  const first = new URL(address);
  let url = first;
  for (let sent = 0; sent <= MAX_REDIRECTS; sent += 1) {
    const reply = await fetch(url, { ...init, redirect: 'manual' });
    const location = REDIRECTS.has(reply.status) ? reply.headers.get('location') : null;
    if (location === null) return reply;
    await reply.body?.cancel();
    const target = URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (!target || (url.protocol === 'https:' && target.protocol !== 'https:') || !(await mayFollow(first, target))) {
      throw new SourceUnfit('the host sends to an address that is not followed');
    }
    url = target;
  }
  throw new SourceUnfit('the host sends from one address to the next');
}

/**
 * Where the operator's address sends on to is somebody else's choice: from https never to http, and to the operator's
 * own network only from an address that lies there itself. Rejects where a name cannot be looked up.
 */
export async function mayFollow(first: URL, target: URL): Promise<boolean> {
  if (target.protocol !== 'https:' && (target.protocol !== 'http:' || first.protocol === 'https:')) return false;
  return !(await isPrivate(target)) || (await isPrivate(first));
}

async function isPrivate({ hostname }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(host) ? [{ address: host }] : await lookup(host, { all: true });
  return addresses.some(({ address }) => PRIVATE_NETWORKS.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'));
}
