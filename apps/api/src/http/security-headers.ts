import { createHash } from 'node:crypto';
import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { isLocalHost } from '../platform/local-hosts.ts';

const YEAR_S = 31_536_000;

/** `inline_scripts`: the only scripts that may stand in the page itself, allowed by their hash. */
export function contentSecurityPolicy(inline_scripts: readonly string[] = []): string {
  const hashes = inline_scripts.map((text) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return [
    "default-src 'self'",
    `script-src 'self' 'wasm-unsafe-eval'${hashes.join('')}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join(';');
}

/**
 * Headers of every reply, as one shared object. HSTS is sent for a public https address only: at localhost, it would
 * lock the browser out of every other server of that machine.
 */
export function securityHeaders(public_url: string): Readonly<Record<string, string>> {
  const { protocol, hostname } = new URL(public_url);
  const has_hsts = protocol === 'https:' && !isLocalHost(hostname);
  return {
    'content-security-policy': contentSecurityPolicy(),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': 'camera=(self), geolocation=(self), microphone=(), payment=()',
    'referrer-policy': 'same-origin',
    ...(has_hsts ? { 'strict-transport-security': `max-age=${YEAR_S}; includeSubDomains` } : {}),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
  };
}

type AddHeaders = (reply: FastifyReply) => void;
type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * Adds these headers to a reply that does not set them itself, also if the provider or a stream writes it without
 * Fastify. They are added in writeHead, in one go: added to the reply's own object one by one, they make it so large
 * that V8 treats it as a dictionary, and a small reply costs a quarter more.
 */
export function createHeaderAdder(headers: Readonly<Record<string, string>>): AddHeaders {
  const entries = Object.entries(headers);
  const flat = entries.flat();
  /** Shadows the response's own `writeHead`, which its prototype still has. */
  function writeHead(this: ServerResponse, status: number, first?: Headers | string, second?: Headers): ServerResponse {
    const { writeHead: originalWriteHead } = Object.getPrototypeOf(this) as ServerResponse;
    if (typeof first === 'string') this.statusMessage = first;
    const reply_headers = typeof first === 'string' ? second : first;
    if (reply_headers && !Array.isArray(reply_headers))
      return originalWriteHead.call(this, status, mergeHeaders(headers, flat, reply_headers));
    for (const [name, value] of entries) if (!this.hasHeader(name)) this.setHeader(name, value);
    return originalWriteHead.call(this, status, reply_headers);
  }
  return ({ raw }) => {
    raw.writeHead = writeHead;
  };
}

/**
 * `flat`: names and values of `headers` in turn. The reply's own headers win. Returns a list, since objects with so
 * many keys are slow.
 */
function mergeHeaders(
  headers: Readonly<Record<string, string>>,
  flat: readonly string[],
  reply_headers: OutgoingHttpHeaders,
): OutgoingHttpHeader[] | OutgoingHttpHeaders {
  const list: OutgoingHttpHeader[] = flat.slice();
  for (const name in reply_headers) {
    const value = reply_headers[name];
    if (name in headers || value === undefined) return { ...headers, ...reply_headers };
    list.push(name, value);
  }
  return list;
}
