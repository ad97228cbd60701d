import { createOutgoing, INTERNET, type Network, toResponse } from '#api/http/outgoing.ts';
import { isRefusedAddress } from '#api/http/public-address.ts';

/** The remote file is unavailable for now: no connection, a timeout, or an error reply. */
export class SourceUnreachable extends Error {}

/** The host answers, but never with a usable reply. */
export class SourceUnusable extends Error {}

/** The host answers that there is no such file. */
export class SourceMissing extends SourceUnusable {}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

interface FetchInit {
  headers: Record<string, string>;
  signal: AbortSignal;
}

/** Fetches the address and follows its redirects. */
export const fetchWithRedirects = createRedirectingFetch(INTERNET);

/**
 * Redirects are chosen by a third party: they are never followed from https to http, and to the operator's own network
 * only from an address inside it (`createOutgoing`). The function throws SourceUnusable for a disallowed redirect and for
 * too many; it rejects with the error of a failed connection.
 */
export function createRedirectingFetch(network: Network): (address: string, options: FetchInit) => Promise<Response> {
  const send = createOutgoing(network);

  return async (address, options) => {
    const named_by = new URL(address);
    let url = named_by;
    for (let sent = 0; sent <= MAX_REDIRECTS; sent += 1) {
      const reply = await send(url, options, named_by).catch(rethrowRefused);
      const { location } = reply.headers;
      if (!REDIRECTS.has(reply.statusCode ?? 0) || location === undefined) return toResponse(reply);
      reply.destroy();
      const target = URL.parse(location, url);
      if (!target || !isAsSafe(url, target)) throw redirectRefused();
      url = target;
    }
    throw new SourceUnusable('the host sends from one address to the next');
  };
}

function isAsSafe(url: URL, target: URL): boolean {
  return target.protocol === 'https:' || (target.protocol === 'http:' && url.protocol === 'http:');
}

function redirectRefused(): SourceUnusable {
  return new SourceUnusable('the host sends to an address that is not followed');
}

function rethrowRefused(error: unknown): never {
  throw isRefusedAddress(error) ? redirectRefused() : error;
}
