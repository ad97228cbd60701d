import * as client from 'openid-client';
import type { ProviderCall } from './provider-trouble.ts';

const MAX_REPLY_BYTES = 1024 * 1024;
const PROVIDER_TIMEOUT_S = 5;
const REDISCOVER_AFTER_MS = 3_600_000;
/** Keys are reloaded for an unknown key at most once per this interval. */
const READ_KEYS_AFTER_MS = 5_000;

export interface LinkOptions {
  issuer: URL;
  client_id: string;
  client_secret: string | undefined;
  /** The fetch that reaches the provider; a test passes its own. */
  fetch?: client.CustomFetch | undefined;
  /** Milliseconds of a monotonic clock; a test passes its own. */
  now_ms?: (() => number) | undefined;
}

export type ProviderLink = ReturnType<typeof createProviderLink>;

/** The provider's metadata, and the requests to it. `first_call` records the requests of `ask`. */
export function createProviderLink(options: LinkOptions, first_call: ProviderCall) {
  const { now_ms = () => performance.now() } = options;
  const reach = boundReplies(options.fetch ?? fetchDirectly);
  const readKeys = rememberReply(reach, now_ms);
  let known: { document: string; metadata: client.ServerMetadata; read_ms: number } | undefined;
  let asking: Promise<client.ServerMetadata> | undefined;

  async function askNow(): Promise<client.ServerMetadata> {
    let document = '';
    const config = await discover(options, client.None(), async (url, request) => {
      const reply = await followCall(reach, first_call)(url, request);
      document = await reply.clone().text();
      return reply;
    });
    const metadata = config.serverMetadata();
    checkEndpoints(metadata, options.issuer);
    known = { document, metadata, read_ms: now_ms() };
    return metadata;
  }

  /**
   * Fetches the provider's metadata, in at most 5 s, so that no user is sent to a provider that is down. Throws like
   * discovery.
   */
  function ask(): Promise<client.ServerMetadata> {
    asking ??= askNow().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  return {
    ask,
    /**
     * Returns the last known metadata, refreshed after an hour if the provider answers. Throws like `ask` if it has
     * never answered.
     */
    async recall(): Promise<client.ServerMetadata> {
      if (!known) return ask();
      const { metadata, read_ms } = known;
      return now_ms() < read_ms + REDISCOVER_AFTER_MS ? metadata : ask().catch(() => metadata);
    },
    /** Returns a configuration for one exchange, after `ask` or `recall`; `call` records its requests. */
    async configure(authenticate: client.ClientAuth, call: ProviderCall): Promise<client.Configuration> {
      if (!known) throw new Error('the provider was not asked yet');
      const { document, metadata } = known;
      // Built again from the stored metadata: a configuration caches the keys it has read for at least a minute.
      const config = await discover(options, authenticate, async () => Response.json(JSON.parse(document)));
      config[client.customFetch] = followCall(
        (url, request) => (url === metadata.jwks_uri ? readKeys(url, request) : reach(url, request)),
        call,
      );
      return config;
    },
  };
}

/** The global fetch with openid-client's type. */
export const fetchDirectly: client.CustomFetch = (url, options) => fetch(url, options as RequestInit);

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
function boundReplies(fetchReply: client.CustomFetch): client.CustomFetch {
  return async (url, options) => {
    const reply = await fetchReply(url, options);
    if (!reply.body) return reply;
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of reply.body) {
      length += chunk.length;
      // A TypeError, as fetch throws.
      if (length > MAX_REPLY_BYTES) throw new TypeError(`a reply is longer than ${MAX_REPLY_BYTES} bytes`);
      chunks.push(chunk);
    }
    const { status, statusText, headers } = reply;
    return new Response(Buffer.concat(chunks), { status, statusText, headers });
  };
}

/** Records the endpoint of each request, without its query, and the status of the reply. */
function followCall(reach: client.CustomFetch, call: ProviderCall): client.CustomFetch {
  return async (url, request) => {
    const { origin, pathname } = new URL(url);
    call.endpoint = origin + pathname;
    call.status = undefined;
    const reply = await reach(url, request);
    call.status = reply.status;
    return reply;
  };
}

/** Caches a successful reply for 5 s; then the URL is fetched again. */
function rememberReply(reach: client.CustomFetch, now_ms: () => number): client.CustomFetch {
  let kept: { url: string; reply: Response; read_ms: number } | undefined;
  return async (url, request) => {
    if (kept?.url === url && now_ms() < kept.read_ms + READ_KEYS_AFTER_MS) return kept.reply.clone();
    const read_ms = now_ms();
    const reply = await reach(url, request);
    if (reply.status === 200) kept = { url, reply: reply.clone(), read_ms };
    return reply;
  };
}

/** Refuses metadata with missing endpoints, or with one that would send browsers to a script: it must not be cached. */
function checkEndpoints(metadata: client.ServerMetadata, issuer: URL): void {
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint, end_session_endpoint } = metadata;
  const optional = [userinfo_endpoint, end_session_endpoint].filter((endpoint) => endpoint !== undefined);
  for (const endpoint of [authorization_endpoint, token_endpoint, jwks_uri, ...optional]) {
    const protocol = URL.parse(String(endpoint))?.protocol;
    if (protocol !== 'https:' && (protocol !== 'http:' || issuer.protocol !== 'http:')) {
      throw new Error(`the provider names ${String(endpoint)} as one of its addresses`);
    }
  }
}
