import * as client from 'openid-client';
import { StartError } from '../start-error.ts';
import { boundReplies } from './bound-replies.ts';
import type { IdentityProvider } from './identity.ts';
import { buildSignInUrl, exchangeCode, toAppError } from './relying-party.ts';

const COGNITO_HOST = /^cognito-idp\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/;
const PROVIDER_TIMEOUT_S = 5;
const REDISCOVER_AFTER_MS = 3_600_000;
const RETRY_AFTER_MS = 60_000;

interface ExternalProviderOptions {
  issuer: string;
  client_id: string;
  client_secret: string | undefined;
  public_url: string;
  /** How the provider is reached; a test answers itself. */
  fetch?: client.CustomFetch;
}

/** Any OpenID provider by discovery: asked at the first sign-in, then hourly while the last answer serves on. */
export function createExternalProvider(options: ExternalProviderOptions): IdentityProvider {
  const { client_id, public_url } = options;
  const issuer = new URL(options.issuer);
  if (issuer.protocol === 'http:' && issuer.hostname !== 'localhost' && issuer.hostname !== '127.0.0.1') {
    throw new StartError('OIDC_ISSUER: must be https unless it is on this machine');
  }
  const is_cognito = COGNITO_HOST.test(issuer.hostname);
  const configuration = cacheDiscovery(() => discover(issuer, options));

  return {
    own: false,
    password_reset: false,
    mount: async () => {},
    async beginSignIn(sign_in, { signup, fresh, ui_locales }) {
      const config = await configuration();
      const prompt = signup && announcesCreate(config) ? 'create' : fresh ? 'login' : undefined;
      const extra = { ...(prompt ? { prompt } : {}), ...(ui_locales ? { ui_locales } : {}) };
      const url = await buildSignInUrl(config, sign_in, extra);
      // Cognito's hosted pages: sign-up takes the same parameters at another path.
      if (signup && is_cognito) url.pathname = '/signup';
      return url;
    },
    completeSignIn: async (sign_in, answer) => (await exchangeCode(await configuration(), sign_in, answer)).identity,
    signInWithPassword: undefined,
    async logoutUrl() {
      const config = await configuration();
      const { authorization_endpoint, end_session_endpoint } = config.serverMetadata();
      const back = `${public_url}/login`;
      if (is_cognito) {
        const url = new URL('/logout', authorization_endpoint);
        url.search = new URLSearchParams({ client_id, logout_uri: back }).toString();
        return url.href;
      }
      if (!end_session_endpoint) return null;
      return client.buildEndSessionUrl(config, { post_logout_redirect_uri: back }).href;
    },
  };
}

/** `prompt=create` is an extension; a provider that does not announce it might refuse the whole request. */
function announcesCreate(config: client.Configuration): boolean {
  const announced: unknown = config.serverMetadata().prompt_values_supported;
  return Array.isArray(announced) && announced.includes('create');
}

async function discover(
  issuer: URL,
  { client_id, client_secret, fetch }: ExternalProviderOptions,
): Promise<client.Configuration> {
  const authentication = client_secret === undefined ? client.None() : client.ClientSecretBasic(client_secret);
  const config = await client.discovery(issuer, client_id, client_secret, authentication, {
    timeout: PROVIDER_TIMEOUT_S,
    [client.customFetch]: boundReplies(fetch),
    // Without the checks an ID token counts by where it came from, not by who signed it.
    execute: [
      client.enableNonRepudiationChecks,
      ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
  });
  checkEndpoints(config.serverMetadata(), issuer);
  return config;
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

function cacheDiscovery(ask: () => Promise<client.Configuration>): () => Promise<client.Configuration> {
  let known: client.Configuration | undefined;
  let ask_again_ms = 0;
  let asking: Promise<client.Configuration> | undefined;

  async function askNow(): Promise<client.Configuration> {
    try {
      known = await ask();
      ask_again_ms = performance.now() + REDISCOVER_AFTER_MS;
      return known;
    } catch (error) {
      ask_again_ms = performance.now() + RETRY_AFTER_MS;
      throw toAppError(new Error('discovery failed', { cause: error }));
    } finally {
      asking = undefined;
    }
  }

  return async () => {
    if (known && performance.now() < ask_again_ms) return known;
    asking ??= askNow();
    if (!known) return asking;
    // What it said an hour ago is better than a wait, and than nobody getting in.
    asking.catch(() => {});
    return known;
  };
}
