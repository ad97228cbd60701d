import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { createLookup } from '#api/http/public-address.ts';
import { createNameResolver, type NameResolverOptions } from '#api/http/public-names.ts';
import { AppError } from '#api/platform/errors.ts';
import { isSameSite, type Site } from './site.ts';

/** Shorter than the app waits for a reply. */
const TIMEOUT_MS = 6_000;
const MAX_BYTES = 64 * 1024;
const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
const USER_AGENT = 'Sendlap (reads the line of a center that joins)';

interface SiteClientOptions extends NameResolverOptions {
  timeout_ms?: number;
  /** PEM of the only authority that is trusted: for tests. */
  ca?: string;
}

export type SiteClient = ReturnType<typeof createSiteClient>;

/** Reads the file on a center's web site. A name is checked on connecting, for the very address that was looked up. */
export function createSiteClient({ timeout_ms = TIMEOUT_MS, ca, ...options }: SiteClientOptions) {
  const lookup = createLookup(createNameResolver(options).findAddresses);

  function send(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { 'accept-encoding': 'identity', 'user-agent': USER_AGENT };
      const request_options = { agent: false as const, lookup, signal, headers };
      const request =
        url.protocol === 'https:'
          ? requestHttps(url, { ...request_options, ...(ca && { ca }) })
          : requestHttp(url, request_options);
      request.on('error', reject);
      // A connection may also end without an error, for example after a protocol switch (101).
      request.on('close', () => reject(new Error('no response')));
      request.on('response', resolve);
      request.end();
    });
  }

  /** Throws if the file is not there, or is too large or too slow. */
  async function fetchFile({ file_url }: Site, signal: AbortSignal): Promise<string> {
    let url = file_url;
    for (let sent = 0; sent <= MAX_REDIRECTS; sent += 1) {
      const reply = await send(url, signal);
      const { location } = reply.headers;
      if (reply.statusCode === 200) return readText(reply);
      reply.destroy();
      const target = location === undefined ? null : URL.parse(location, url);
      if (!REDIRECTS.includes(reply.statusCode ?? 0) || !target)
        throw new Error(`status ${reply.statusCode ?? 'unknown'}`);
      if (!isSameSite(url, target)) throw new Error('redirect to another site');
      url = target;
    }
    throw new Error('too many redirects');
  }

  return {
    /** Throws `claim_site_unreadable`. */
    async readFile(site: Site): Promise<string> {
      try {
        return await fetchFile(site, AbortSignal.timeout(timeout_ms));
      } catch (cause) {
        throw new AppError('claim_site_unreadable', `${site.file_url.href} could not be read`, { cause });
      }
    },
  };
}

async function readText(reply: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of reply as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BYTES) throw new Error('the file is too large');
      chunks.push(chunk);
    }
  } finally {
    reply.destroy();
  }
  return Buffer.concat(chunks).toString();
}
