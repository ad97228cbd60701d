import * as client from 'openid-client';
import { createOutgoing, INTERNET, toResponse } from '#api/http/outgoing.ts';
import { systemTimer, type Timer } from '#api/platform/timer.ts';
import type { ProviderCall } from './provider-errors.ts';

const MAX_REPLY_BYTES = 1024 * 1024;
const PROVIDER_TIMEOUT_S = 5;
/** Well below the 5 s within which the app has to hear from this server. */
const FIRST_ANSWER_MS = 2_000;
const METADATA_CACHE_MS = 3_600_000;
/** Keys are reloaded for an unknown key at most once per this interval. */
const KEY_CACHE_MS = 5_000;

export interface LinkOptions {
  issuer: URL;
  client_id: string;
  client_secret: string | undefined;
  /** The fetch that reaches the provider; a test passes its own. */
  fetch?: client.CustomFetch | undefined;
  /** A test passes its own. */
  timer?: Timer | undefined;
}

export type ProviderLink = ReturnType<typeof createProviderLink>;

/** The provider's metadata, and the requests to it. `discovery_call` records the requests of `ask`. */
export function createProviderLink(options: LinkOptions, discovery_call: ProviderCall) {
  const { timer = systemTimer } = options;
  const fetchReply = limitReplySize(options.fetch ?? createProviderFetch(options.issuer));
  const fetchKeys = cacheReply(fetchReply, timer.now);
  let cached: { document: string; metadata: client.ServerMetadata; read_ms: number } | undefined;
  let running_discovery: Promise<client.ServerMetadata> | undefined;
  let has_ended_once = false;

  const isFresh = ({ read_ms }: { read_ms: number }) => timer.now() < read_ms + METADATA_CACHE_MS;

  async function runDiscovery(): Promise<client.ServerMetadata> {
    let document = '';
    const config = await discover(options, client.None(), async (url, request) => {
      const reply = await recordCall(fetchReply, discovery_call)(url, request);
      document = await reply.clone().text();
      return reply;
    });
    const metadata = config.serverMetadata();
    assertEndpoints(metadata, options.issuer);
    cached = { document, metadata, read_ms: timer.now() };
    return metadata;
  }

  /**
   * Fetches the provider's metadata, in at most 5 s, so that no user is sent to a provider that is down. Throws like
   * discovery.
   */
  function fetchMetadata(): Promise<client.ServerMetadata> {
    running_discovery ??= runDiscovery().finally(() => {
      running_discovery = undefined;
      has_ended_once = true;
    });
    return running_discovery;
  }

  return {
    ask: fetchMetadata,
    /**
     * Returns the last known metadata, refreshed after an hour if the provider answers. Throws like `ask` if it has
     * never answered.
     */
    async getMetadata(): Promise<client.ServerMetadata> {
      if (!cached) return fetchMetadata();
      const { metadata } = cached;
      return isFresh(cached) ? metadata : fetchMetadata().catch(() => metadata);
    },
    /**
     * As `getMetadata`, but without waiting: the provider is asked in the background. Only the first discovery since the
     * start is waited for, at most 2 s. Returns undefined while the provider has never answered.
     */
    async peekMetadata(): Promise<client.ServerMetadata | undefined> {
      if (cached && isFresh(cached)) return cached.metadata;
      const discovery = fetchMetadata().catch(() => undefined);
      if (cached || has_ended_once) return cached?.metadata;
      const { promise: timeout, resolve } = Promise.withResolvers<undefined>();
      const cancel = timer.after(FIRST_ANSWER_MS, () => resolve(undefined));
      return Promise.race([discovery, timeout]).finally(cancel);
    },
    /** Returns a configuration for one exchange, after `ask` or `getMetadata`; `call` records its requests. */
    async configure(authenticate: client.ClientAuth, call: ProviderCall): Promise<client.Configuration> {
      if (!cached) throw new Error('the provider was not asked yet');
      const { document, metadata } = cached;
      // Built again from the stored metadata: a configuration caches the keys it has read for at least a minute.
      const config = await discover(options, authenticate, async () => Response.json(JSON.parse(document)));
      config[client.customFetch] = recordCall(
        (url, request) => (url === metadata.jwks_uri ? fetchKeys(url, request) : fetchReply(url, request)),
        call,
      );
      return config;
    },
  };
}

/**
 * A fetch to the provider and to the endpoints that it names: one on the internet names none inside the operator's own
 * network. Follows no redirect, and rejects as the global fetch does.
 */
export function createProviderFetch(issuer: URL): client.CustomFetch {
  const send = createOutgoing(INTERNET, { keep_alive: false });
  return async (url, { method, headers, body, signal = new AbortController().signal }) => {
    try {
      const options = { method, headers, signal, ...(body && { body: String(body) }) };
      return toResponse(await send(new URL(url), options, issuer));
    } catch (cause) {
      signal.throwIfAborted();
      throw new TypeError('fetch failed', { cause });
    }
  };
}

function discover(
  { issuer, client_id, client_secret }: LinkOptions,
  authenticate: client.ClientAuth,
  fetch: client.CustomFetch,
): Promise<client.Configuration> {
  return client.discovery(issuer, client_id, client_secret, authenticate, {
    timeout: PROVIDER_TIMEOUT_S,
    [client.customFetch]: fetch,
    // Without these checks openid-client trusts an ID token for its source and ignores its signature.
    execute: [
      client.enableNonRepudiationChecks,
      ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
  });
}

/** Reads whole replies; throws for one that is longer than any legitimate reply. */
function limitReplySize(fetchReply: client.CustomFetch): client.CustomFetch {
  return async (url, options) => {
    const reply = await fetchReply(url, options);
    if (!reply.body) return reply;
    const chunks: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const chunk of reply.body) {
        length += chunk.length;
        if (length > MAX_REPLY_BYTES) throw new Error(`a reply is longer than ${MAX_REPLY_BYTES} bytes`);
        chunks.push(chunk);
      }
    } catch (cause) {
      // As fetch throws.
      throw new TypeError('a reply ended early', { cause });
    }
    const { status, statusText, headers } = reply;
    return new Response(Buffer.concat(chunks), { status, statusText, headers });
  };
}

/** Records the endpoint of each request, without its query, and the status of the reply. */
function recordCall(fetchReply: client.CustomFetch, call: ProviderCall): client.CustomFetch {
  return async (url, request) => {
    const { origin, pathname } = new URL(url);
    call.endpoint = origin + pathname;
    call.status = undefined;
    const reply = await fetchReply(url, request);
    call.status = reply.status;
    return reply;
  };
}

/** Caches a successful reply for 5 s; then the URL is fetched again. */
function cacheReply(fetchReply: client.CustomFetch, now_ms: () => number): client.CustomFetch {
  let cached_reply: { url: string; reply: Response; read_ms: number } | undefined;
  return async (url, request) => {
    if (cached_reply?.url === url && now_ms() < cached_reply.read_ms + KEY_CACHE_MS) return cached_reply.reply.clone();
    const read_ms = now_ms();
    const reply = await fetchReply(url, request);
    if (reply.status === 200) cached_reply = { url, reply: reply.clone(), read_ms };
    return reply;
  };
}

/** Refuses metadata with missing endpoints, or with one that would send browsers to a script: it must not be cached. */
function assertEndpoints(metadata: client.ServerMetadata, issuer: URL): void {
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint, end_session_endpoint } = metadata;
  const optional = [userinfo_endpoint, end_session_endpoint].filter((endpoint) => endpoint !== undefined);
  for (const endpoint of [authorization_endpoint, token_endpoint, jwks_uri, ...optional]) {
    const protocol = URL.parse(String(endpoint))?.protocol;
    if (protocol !== 'https:' && (protocol !== 'http:' || issuer.protocol !== 'http:')) {
      throw new Error(`the provider names ${String(endpoint)} as one of its addresses`);
    }
  }
}
