import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** What of the internet's addresses is no host of it (IANA's special-purpose registries, RFC 6890). */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/** Of 2000::/3: tunnels, which hold an IPv4 address, and documentation. */
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
const PUBLIC_V6 = ['2000::/3'];
/** Names that are nobody's in the world (RFC 6761, RFC 6762, RFC 8375, RFC 9476) or of a cloud's inside. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|alt|onion|test|invalid|example|home\.arpa)$/;

const RESOLVE_MS = 3_000;
const ASK_AGAIN_MS = 1_000;

const not_public_v4 = listOf(NOT_PUBLIC_V4, 'ipv4');
const not_public_v6 = listOf(NOT_PUBLIC_V6, 'ipv6');
const public_v6 = listOf(PUBLIC_V6, 'ipv6');

function listOf(nets: string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const net of nets) {
    const [address = '', bits] = net.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Whether an address is one of a host that the whole internet reaches. IPv4 inside IPv6 is not. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !not_public_v4.check(address, 'ipv4');
  return version === 6 && public_v6.check(address, 'ipv6') && !not_public_v6.check(address, 'ipv6');
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

export interface PushAddresses {
  /** The endpoint, or null for one that nothing is ever sent to: not https, another port than 443, not public. */
  read(endpoint: string): URL | null;
  /** Whether what the name leads to is public; true where nobody can say at the moment. */
  leadsOut(endpoint: URL): Promise<boolean>;
  /** For connections: an error for a name that leads elsewhere, so that one is never connected to. */
  lookup: LookupFunction;
}

interface PushAddressOptions {
  /** Loopback addresses too, over http and on any port: for tests. */
  allow_local: boolean;
  /** Name servers to ask; the machine's own unless said. */
  name_servers?: string[];
  resolve_ms?: number;
}

/** Which addresses pushes go to: a browser names them, so anybody may name any. */
export function createPushAddresses({
  allow_local,
  name_servers,
  resolve_ms = RESOLVE_MS,
}: PushAddressOptions): PushAddresses {
  const isAllowed = (address: string) => isPublicAddress(address) || (allow_local && isLoopback(address));
  const findAddresses = async (hostname: string) => {
    // No name server is asked for this one (RFC 6761).
    if (allow_local && hostname === 'localhost') return [{ address: '127.0.0.1', family: 4 }];
    const addresses = await resolveName(hostname, { name_servers, resolve_ms });
    // Not those that are public alone: a name that also leads inside is not one of a push service.
    if (addresses.every(({ address }) => isAllowed(address))) return addresses;
    throw Object.assign(new Error('this name leads to an address that is not public'), REFUSED);
  };
  const lookup: LookupFunction = (hostname, { all }, callback) => {
    const answer = ([first, ...rest]: LookupAddress[]) => {
      if (!first) callback(new Error('this name leads nowhere'), '', 0);
      else if (all) callback(null, [first, ...rest]);
      else callback(null, first.address, first.family);
    };
    findAddresses(hostname).then(answer, (error: NodeJS.ErrnoException) => callback(error, '', 0));
  };
  return {
    lookup,
    read(endpoint) {
      const url = URL.parse(endpoint);
      if (!url || url.username || url.password) return null;
      const host = hostOf(url);
      if (allow_local && (host === 'localhost' || isLoopback(host)) && /^https?:$/.test(url.protocol)) return url;
      if (url.protocol !== 'https:' || url.port !== '') return null;
      if (isIP(host) !== 0) return isPublicAddress(host) ? url : null;
      return host.includes('.') && !LOCAL_NAME.test(host) ? url : null;
    },
    async leadsOut(url) {
      const host = hostOf(url);
      if (isIP(host) !== 0) return isAllowed(host);
      return findAddresses(host).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code !== REFUSED.code,
      );
    },
  };
}

/**
 * All addresses of a name, none where nobody says. The system's own look-up has two places in the whole process, for many
 * seconds each: with names that nobody answers for, one user could keep everybody's from being found.
 */
async function resolveName(
  hostname: string,
  { name_servers, resolve_ms }: { name_servers: string[] | undefined; resolve_ms: number },
): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: Math.min(ASK_AGAIN_MS, resolve_ms), tries: 2 });
  if (name_servers) resolver.setServers(name_servers);
  const timer = setTimeout(() => resolver.cancel(), resolve_ms).unref();
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  clearTimeout(timer);
  return found.flatMap((answer, nth) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: nth === 0 ? 4 : 6 })) : [],
  );
}

const REFUSED = { code: 'EREFUSED_ADDRESS' };

/** Without the brackets of IPv6, and without the dot that ends a full name. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
