import type { SourcePatch } from '../source-patches.ts';

/** Source edits, each of which takes one protection away, and the attacks that must get through then. */
export const CHECKS_OFF: Record<string, SourcePatch & { finding: RegExp }> = {
  'the check of addresses in endpoints': {
    file: 'notifications/push-address.ts',
    find: 'return isPublicAddress(host) ? url : null;',
    replace: 'return url;',
    finding: /^push, stored endpoint https:\/\/169\.254\.169\.254\/a: reached 169\.254\.169\.254 443$/,
  },
  'the check of names on connecting': {
    file: 'http/public-address.ts',
    find: 'if (addresses.every(({ address }) => isAllowed(address))) return addresses;',
    replace: 'if (isAllowed) return addresses;',
    finding: /^push, push to a name that changes to 127\.0\.0\.1: reached/,
  },
  'the refusal of redirects to other sites': {
    file: 'claims/site-client.ts',
    find: "if (!isSameSite(url, target)) throw new Error('redirect to another site');",
    replace: "if (isSameSite === undefined) throw new Error('redirect to another site');",
    finding: /^claim, site redirected to 127\.0\.0\.1: reached 127\.0\.0\.1 80$/,
  },
  'the memory of hosts outside': {
    file: 'http/outgoing.ts',
    find: 'outside_hosts.add(url.host);',
    replace: 'outside_hosts.has(url.host);',
    finding: /^issuer, naming its token endpoint at 127\.0\.0\.1: reached 127\.0\.0\.1 443$/,
  },
};
