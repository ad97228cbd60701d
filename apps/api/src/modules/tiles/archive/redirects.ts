import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import {
  assertAllAllowed,
  bareHostname,
  createLookup,
  isPublicAddress,
  isRefusedAddress,
} from '#api/http/public-address.ts';

/** The remote file is unavailable for now: no connection, a timeout, or an error reply. */
export class SourceUnreachable extends Error {}

/** The host answers, but never with a usable reply. */
export class SourceUnusable extends Error {}

/** The host answers that there is no such file. */
export class SourceMissing extends SourceUnusable {}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Statuses without a body, by the rules of `Response`. */
const BODILESS = new Set([204, 205, 304]);
const SOCKETS = { keepAlive: true, maxFreeSockets: 8, timeout: 30_000 };

interface FetchInit {
  headers: Record<string, string>;
  signal: AbortSignal;
}

interface Network {
  isPublic(address: string): boolean;
  /** Returns all addresses of a name. */
  find(hostname: string): Promise<LookupAddress[]>;
}

const INTERNET: Network = { isPublic: isPublicAddress, find: (hostname) => lookup(hostname, { all: true }) };

/** Fetches the address and follows its redirects. */
export const fetchWithRedirects = createRedirectingFetch(INTERNET);

/**
 * Redirects are chosen by a third party: they are never followed from https to http, and to the operator's own network
 * only from an address inside it. A name is checked on connecting, for the very address that was looked up. The
 * function throws SourceUnusable for a disallowed redirect and for too many; it rejects with the error of a failed
 * connection.
 */
export function createRedirectingFetch({
  isPublic,
  find,
}: Network): (address: string, options: FetchInit) => Promise<Response> {
  const any_agents = openAgents(createLookup(find));
  const public_agents = openAgents(createLookup(async (hostname) => assertAllAllowed(await find(hostname), isPublic)));

  return async (address, options) => {
    let url = new URL(address);
    let agents = any_agents;
    for (let sent = 0; sent <= MAX_REDIRECTS; sent += 1) {
      const { reply, connected_to } = await sendRequest(url, agents, options).catch(rethrowRefused);
      const { location } = reply.headers;
      if (!REDIRECTS.has(reply.statusCode ?? 0) || location === undefined) return toResponse(reply);
      reply.destroy();
      if (sent === 0 && isPublic(connected_to)) agents = public_agents;
      const target = URL.parse(location, url);
      const isInside = (host: string) => isIP(host) !== 0 && !isPublic(host);
      if (!target || !isAsSafe(url, target) || (agents === public_agents && isInside(bareHostname(target))))
        throw redirectRefused();
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

type Agents = ReturnType<typeof openAgents>;

function openAgents(look_up: LookupFunction) {
  const options = { ...SOCKETS, lookup: look_up };
  return { plain: new HttpAgent(options), secure: new HttpsAgent(options) };
}

function sendRequest(url: URL, { plain, secure }: Agents, options: FetchInit) {
  return new Promise<{ reply: IncomingMessage; connected_to: string }>((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? requestHttps(url, { ...options, agent: secure })
        : requestHttp(url, { ...options, agent: plain });
    request.on('error', reject);
    // A connection may also end without an error, for example after a protocol switch (101).
    request.on('close', () => reject(new Error('this was no answer')));
    request.on('response', (reply) => resolve({ reply, connected_to: request.socket?.remoteAddress ?? '' }));
    request.end();
  });
}

function toResponse(reply: IncomingMessage): Response {
  const status = reply.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(reply.headers)) headers.set(name, String(value));
  if (BODILESS.has(status)) reply.resume();
  const body = BODILESS.has(status) ? null : (Readable.toWeb(reply) as ReadableStream<Uint8Array>);
  return new Response(body, { status, headers });
}
