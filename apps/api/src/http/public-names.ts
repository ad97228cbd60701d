import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { assertAllAllowed, isPublicAddress } from './public-address.ts';

/** Names not in the public DNS (RFC 6761, RFC 6762, RFC 8375, RFC 9476) or internal to a cloud. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|alt|onion|test|invalid|example|home\.arpa)$/;

const RESOLVE_TIMEOUT_MS = 3_000;
const DNS_RETRY_MS = 1_000;

export function isLocalName(hostname: string): boolean {
  return LOCAL_NAME.test(hostname);
}

export function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

export interface NameResolverOptions {
  /** Also allows loopback addresses: for tests. */
  allow_local: boolean;
  /** Name servers to query; default: the machine's own. */
  name_servers?: string[] | undefined;
  resolve_ms?: number;
}

/** Finds the addresses of hosts that strangers can name, and refuses those that are not public. */
export function createNameResolver({
  allow_local,
  name_servers,
  resolve_ms = RESOLVE_TIMEOUT_MS,
}: NameResolverOptions) {
  const isAllowed = (address: string) => isPublicAddress(address) || (allow_local && isLoopback(address));
  return {
    isAllowed,
    /** Throws an error that `isRefusedAddress` recognises if one of the addresses is not allowed. */
    async findAddresses(hostname: string): Promise<LookupAddress[]> {
      // No name server is queried for this name (RFC 6761).
      if (allow_local && hostname === 'localhost') return [{ address: '127.0.0.1', family: 4 }];
      return assertAllAllowed(await resolveName(hostname, { name_servers, resolve_ms }), isAllowed);
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
