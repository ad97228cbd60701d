import * as client from 'openid-client';
import type { ProviderCall } from './provider-trouble.ts';

const MAX_REPLY_BYTES = 1024 * 1024;
const PROVIDER_TIMEOUT_S = 5;
const REDISCOVER_AFTER_MS = 3_600_000;
/** An unknown key is looked for at most so often. */
const READ_KEYS_AFTER_MS = 5_000;

export interface LinkOptions {
  issuer: URL;
  client_id: string;
  client_secret: string | undefined;
  /** How the provider is reached; a test answers itself. */
  fetch?: client.CustomFetch | undefined;
  /** Milliseconds of a clock that never jumps; a test passes its own. */
  now_ms?: (() => number) | undefined;
}

export type ProviderLink = ReturnType<typeof createProviderLink>;

/** What the provider says about itself, and how to ask it. `first_call` follows what `ask` does. */
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

  /** Asks the provider what it offers, at most 5 s, so that nobody is sent to one that is down. Throws what discovery throws. */
  function ask(): Promise<client.ServerMetadata> {
    asking ??= askNow().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  return {
    ask,
    /** What it said last, asked again after an hour where it answers. Throws as `ask` where it never said anything. */
    async recall(): Promise<client.ServerMetadata> {
      if (!known) return ask();
      const { metadata, read_ms } = known;
      return now_ms() < read_ms + REDISCOVER_AFTER_MS ? metadata : ask().catch(() => metadata);
    },
    /** A configuration for one exchange, after `ask` or `recall`; `call` follows its requests. */
    async configure(authenticate: client.ClientAuth, call: ProviderCall): Promise<client.Configuration> {
      if (!known) throw new Error('the provider was not asked yet');
      const { document, metadata } = known;
      // Made anew from what the provider said: a configuration keeps the keys it has read, for a minute at least.
      const config = await discover(options, authenticate, async () => Response.json(JSON.parse(document)));
      config[client.customFetch] = followCall(
        (url, request) => (url === metadata.jwks_uri ? readKeys(url, request) : reach(url, request)),
        call,
      );
      return config;
    },
  };
}

/** The global fetch, as openid-client types it. */
export const fetchDirectly: client.CustomFetch = (url, options) => fetch(url, options as RequestInit);

function discover(
  { issuer, client_id, client_secret }: LinkOptions,
  authenticate: client.ClientAuth,
  fetch: client.CustomFetch,
): Promise<client.Configuration> {
  return client.discovery(issuer, client_id, client_secret, authenticate, {
    timeout: PROVIDER_TIMEOUT_S,
    [client.customFetch]: fetch,
    // Without the checks an ID token counts by where it came from, not by who signed it.
    execute: [
      client.enableNonRepudiationChecks,
      ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
  });
}

/** Reads replies whole, and gives up on one that is longer than any provider has to say. */
function boundReplies(fetchReply: client.CustomFetch): client.CustomFetch {
  return async (url, options) => {
    const reply = await fetchReply(url, options);
    if (!reply.body) return reply;
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of reply.body) {
      length += chunk.length;
      // As fetch fails: by a TypeError.
      if (length > MAX_REPLY_BYTES) throw new TypeError(`a reply is longer than ${MAX_REPLY_BYTES} bytes`);
      chunks.push(chunk);
    }
    const { status, statusText, headers } = reply;
    return new Response(Buffer.concat(chunks), { status, statusText, headers });
  };
}

/** Notes which endpoint is asked, without its query, and with which status it answers. */
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

/** A good reply serves for 5 s; then the address is asked again. */
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

/** A provider that says where to go only in part, or sends browsers to a script, is not to be remembered. */
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
