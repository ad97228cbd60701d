import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import {
  assertAllAllowed,
  bareHostname,
  createLookup,
  isPublicAddress,
  isRefusedAddress,
} from '#api/http/public-address.ts';

/** Names not in the public DNS (RFC 6761, RFC 6762, RFC 8375, RFC 9476) or internal to a cloud. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|alt|onion|test|invalid|example|home\.arpa)$/;

const RESOLVE_TIMEOUT_MS = 3_000;
const DNS_RETRY_MS = 1_000;

function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

export type PushAddresses = ReturnType<typeof createPushAddresses>;

interface PushAddressOptions {
  /** Also allows loopback addresses, over http and on any port: for tests. */
  allow_local: boolean;
  /** Name servers to query; default: the machine's own. */
  name_servers?: string[];
  resolve_ms?: number;
}

/** Restricts the addresses that pushes may go to: any client can name an endpoint. */
export function createPushAddresses({
  allow_local,
  name_servers,
  resolve_ms = RESOLVE_TIMEOUT_MS,
}: PushAddressOptions) {
  const isAllowed = (address: string) => isPublicAddress(address) || (allow_local && isLoopback(address));
  const findAddresses = async (hostname: string) => {
    // No name server is queried for this name (RFC 6761).
    if (allow_local && hostname === 'localhost') return [{ address: '127.0.0.1', family: 4 }];
    return assertAllAllowed(await resolveName(hostname, { name_servers, resolve_ms }), isAllowed);
  };
  return {
    /** DNS lookup for connections: fails for a name with a disallowed address, so that no connection is made to it. */
    lookup: createLookup(findAddresses),
    /** Returns the endpoint, or null if pushes may not go there: not https, another port than 443, not public. */
    parseEndpoint(endpoint: string): URL | null {
      const url = URL.parse(endpoint);
      if (!url || url.username || url.password) return null;
      const host = bareHostname(url);
      if (allow_local && (host === 'localhost' || isLoopback(host)) && /^https?:$/.test(url.protocol)) return url;
      if (url.protocol !== 'https:' || url.port !== '') return null;
      if (isIP(host) !== 0) return isPublicAddress(host) ? url : null;
      return host.includes('.') && !LOCAL_NAME.test(host) ? url : null;
    },
    /** Whether the name resolves to a public address; true if the look-up fails for now. */
    async resolvesToPublic(url: URL): Promise<boolean> {
      const host = bareHostname(url);
      if (isIP(host) !== 0) return isAllowed(host);
      return findAddresses(host).then(
        () => true,
        (error: unknown) => !isRefusedAddress(error),
      );
    },
  };
}

/**
 * Returns all addresses of a name, none if no server answers. Avoids the system's own look-up, which has two slots in
 * the whole process, each held for many seconds: with unanswered names one user could block every other look-up.
 */
async function resolveName(
  hostname: string,
  { name_servers, resolve_ms }: { name_servers: string[] | undefined; resolve_ms: number },
): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: Math.min(DNS_RETRY_MS, resolve_ms), tries: 2 });
  if (name_servers) resolver.setServers(name_servers);
  const timer = setTimeout(() => resolver.cancel(), resolve_ms).unref();
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  clearTimeout(timer);
  return found.flatMap((answer, nth) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: nth === 0 ? 4 : 6 })) : [],
  );
}
