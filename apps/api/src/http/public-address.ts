import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The only part of IPv6 that is given to hosts (IANA); the library takes all that has no special use for a host's. */
const GIVEN_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is one of a host that the whole internet reaches, by IANA's special-purpose registries (RFC 6890). IPv4
 * inside IPv6 is not.
 */
export function isPublicAddress(address: string): boolean {
  // The library also reads other spellings, such as 0177.1.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GIVEN_V6));
}

const REFUSED_CODE = 'EREFUSED_ADDRESS';

export function isRefusedAddress(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === REFUSED_CODE;
}

/**
 * The addresses, where each is allowed: a name that also leads inside is none of the outside. Throws what
 * `isRefusedAddress` knows.
 */
export function allowEach(addresses: LookupAddress[], isAllowed: (address: string) => boolean): LookupAddress[] {
  if (addresses.every(({ address }) => isAllowed(address))) return addresses;
  throw Object.assign(new Error('this name leads to an address that is not public'), { code: REFUSED_CODE });
}

/** For `http.Agent`: connections go to the very addresses that `find` gave, and to none where it throws. */
export function toLookup(find: (hostname: string) => Promise<LookupAddress[]>): LookupFunction {
  return (hostname, { all }, callback) => {
    const answer = ([first, ...rest]: LookupAddress[]) => {
      if (!first) callback(new Error('this name leads nowhere'), '', 0);
      else if (all) callback(null, [first, ...rest]);
      else callback(null, first.address, first.family);
    };
    find(hostname).then(answer, (error: NodeJS.ErrnoException) => callback(error, '', 0));
  };
}

/** Of an address: without the brackets of IPv6, and without the dot that ends a full name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
