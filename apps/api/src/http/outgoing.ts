import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { assertAllAllowed, bareHostname, createLookup, isInnerAddress, isPublicAddress } from './public-address.ts';

/** Statuses without a body, by the rules of `Response`. */
const BODILESS = new Set([204, 205, 304]);
const SOCKETS = { keepAlive: true, maxFreeSockets: 8, timeout: 30_000 };

export interface OutgoingOptions {
  method?: string | undefined;
  headers: Record<string, string>;
  body?: string | undefined;
  signal: AbortSignal;
}

export interface Network {
  isPublic(address: string): boolean;
  /** Whether the address is one of this machine or of a network of its own. */
  isInner(address: string): boolean;
  /** Returns all addresses of a name. */
  find(hostname: string): Promise<LookupAddress[]>;
}

export const INTERNET: Network = {
  isPublic: isPublicAddress,
  isInner: isInnerAddress,
  find: (hostname) => lookup(hostname, { all: true }),
};

/**
 * Sends requests to hosts of the settings, and to addresses that such a host names in a redirect or a document: inner
 * addresses only while the host itself has never answered from outside. Follows no redirect. Rejects with the error of
 * a failed connection, or with one that `isRefusedAddress` recognises.
 */
export function createOutgoing({ isPublic, isInner, find } = INTERNET, { keep_alive = true } = {}) {
  const sockets = keep_alive ? SOCKETS : {};
  const any_agents = openAgents(createLookup(find), sockets);
  // The checked address is the one connected to: the name is looked up once.
  const findPublic = async (hostname: string) => assertAllAllowed(await find(hostname), isPublic);
  const public_agents = openAgents(createLookup(findPublic), sockets);
  /** Hosts of the settings that have answered from outside. */
  const outside_hosts = new Set<string>();

  /** `named_by`: the address of the settings whose host named `url`. */
  return async (url: URL, options: OutgoingOptions, named_by = url): Promise<IncomingMessage> => {
    const is_outside = outside_hosts.has(named_by.host);
    const host = bareHostname(url);
    // No name is looked up for an address.
    if (is_outside && isIP(host) !== 0) assertAllAllowed([{ address: host, family: isIP(host) }], isPublic);
    const { reply, connected_to } = await sendRequest(url, is_outside ? public_agents : any_agents, options);
    if (url.host === named_by.host && connected_to !== '' && !isInner(connected_to)) outside_hosts.add(url.host);
    return reply;
  };
}

/** Returns the reply as `fetch` does, with its body as it came: not unpacked. */
export function toResponse(reply: IncomingMessage): Response {
  const status = reply.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(reply.headers)) headers.set(name, String(value));
  if (BODILESS.has(status)) reply.resume();
  const body = BODILESS.has(status) ? null : (Readable.toWeb(reply) as ReadableStream<Uint8Array>);
  return new Response(body, { status, headers });
}

type Agents = ReturnType<typeof openAgents>;

function openAgents(look_up: LookupFunction, sockets: object) {
  const options = { ...sockets, lookup: look_up };
  return { plain: new HttpAgent(options), secure: new HttpsAgent(options) };
}

function sendRequest(url: URL, { plain, secure }: Agents, { body, ...options }: OutgoingOptions) {
  return new Promise<{ reply: IncomingMessage; connected_to: string }>((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? requestHttps(url, { ...options, agent: secure })
        : requestHttp(url, { ...options, agent: plain });
    request.on('error', reject);
    // A connection may also end without an error, for example after a protocol switch (101).
    request.on('close', () => reject(new Error('this was no answer')));
    request.on('response', (reply) => resolve({ reply, connected_to: request.socket?.remoteAddress ?? '' }));
    request.end(body);
  });
}
