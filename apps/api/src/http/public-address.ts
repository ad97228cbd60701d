import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The only part of IPv6 that is assigned to hosts (IANA); the library treats all addresses without a special use as
 * hosts.
 */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Every virtual machine at Azure reaches its host at this address, which the registries call public. */
const AZURE_HOST = '168.63.129.16';

/**
 * Returns whether the whole internet can reach a host at this address, by IANA's special-purpose registries (RFC 6890).
 * False for IPv4 inside IPv6.
 */
export function isPublicAddress(address: string): boolean {
  // The library also parses other notations, such as 0177.1.
  if (isIP(address) === 0 || address === AZURE_HOST) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST_V6));
}

const INNER_RANGES = new Set(['unspecified', 'loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Returns whether the address is one of this machine or of a network of its own. Not the opposite of `isPublicAddress`:
 * an address of neither kind gets no trust. IPv4 in the mapped form of IPv6 counts as that IPv4.
 */
export function isInnerAddress(address: string): boolean {
  return isIP(address) !== 0 && INNER_RANGES.has(ipaddr.process(address).range());
}

const REFUSED_CODE = 'EREFUSED_ADDRESS';

export function isRefusedAddress(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === REFUSED_CODE;
}

/**
 * Returns the addresses if all are allowed: a name that also resolves to an internal address does not count as public.
 * Throws an error that `isRefusedAddress` recognises.
 */
export function assertAllAllowed(addresses: LookupAddress[], isAllowed: (address: string) => boolean): LookupAddress[] {
  if (addresses.every(({ address }) => isAllowed(address))) return addresses;
  throw Object.assign(new Error('this name leads to an address that is not public'), { code: REFUSED_CODE });
}

/** For `http.Agent`: connects only to the addresses that `find` returned, and not at all if `find` throws. */
export function createLookup(find: (hostname: string) => Promise<LookupAddress[]>): LookupFunction {
  return (hostname, { all }, callback) => {
    const respond = ([first, ...rest]: LookupAddress[]) => {
      if (!first) callback(new Error('this name leads nowhere'), '', 0);
      else if (all) callback(null, [first, ...rest]);
      else callback(null, first.address, first.family);
    };
    find(hostname).then(respond, (error: NodeJS.ErrnoException) => callback(error, '', 0));
  };
}

/** Returns the host without the brackets of IPv6 and without the final dot of a fully qualified name. */
export function bareHostname({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
