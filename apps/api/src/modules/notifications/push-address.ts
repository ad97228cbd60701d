import { isIP } from 'node:net';
import { bareHostname, createLookup, isPublicAddress, isRefusedAddress } from '#api/http/public-address.ts';
import { createNameResolver, isLocalName, isLoopback, type NameResolverOptions } from '#api/http/public-names.ts';

export type PushAddresses = ReturnType<typeof createPushAddresses>;

/** Restricts the addresses that pushes may go to: any client can name an endpoint. */
export function createPushAddresses(options: NameResolverOptions) {
  const { allow_local } = options;
  const { isAllowed, findAddresses } = createNameResolver(options);
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
      return host.includes('.') && !isLocalName(host) ? url : null;
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
