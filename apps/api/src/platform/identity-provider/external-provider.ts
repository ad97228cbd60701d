import * as client from 'openid-client';
import { StartError } from '../start-error.ts';
import type { IdentityProvider } from './identity.ts';
import { buildSignInUrl, exchangeCode, toAppError } from './relying-party.ts';

const COGNITO_HOST = /^cognito-idp\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/;
const PROVIDER_TIMEOUT_S = 5;
const REDISCOVER_AFTER_MS = 3_600_000;

interface ExternalProviderOptions {
  issuer: string;
  client_id: string;
  client_secret: string | undefined;
  public_url: string;
  /** How the provider is reached; a test answers itself. */
  fetch?: client.CustomFetch;
}

/** Any OpenID provider by discovery: asked at the first sign-in, kept for an hour, asked again after a failure. */
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
    issuer_key: options.issuer,
    mount: async () => {},
    async beginSignIn(sign_in, { signup, ui_locales }) {
      const config = await configuration();
      const extra = { ...(signup && !is_cognito ? { prompt: 'create' } : {}), ...(ui_locales ? { ui_locales } : {}) };
      const url = await buildSignInUrl(config, sign_in, supported(config, extra));
      // Cognito's hosted pages: sign-up takes the same parameters at another path.
      if (signup && is_cognito) url.pathname = '/signup';
      return url;
    },
    completeSignIn: async (sign_in, answer) => exchangeCode(await configuration(), sign_in, answer),
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
function supported(config: client.Configuration, extra: Record<string, string>): Record<string, string> {
  const announced: unknown = config.serverMetadata().prompt_values_supported;
  const { prompt, ...rest } = extra;
  return prompt && Array.isArray(announced) && announced.includes(prompt) ? { prompt, ...rest } : rest;
}

function discover(
  issuer: URL,
  { client_id, client_secret, fetch }: ExternalProviderOptions,
): Promise<client.Configuration> {
  const authentication = client_secret === undefined ? client.None() : client.ClientSecretBasic(client_secret);
  return client.discovery(issuer, client_id, client_secret, authentication, {
    timeout: PROVIDER_TIMEOUT_S,
    ...(fetch ? { [client.customFetch]: fetch } : {}),
    execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
  });
}

function cacheDiscovery(ask: () => Promise<client.Configuration>): () => Promise<client.Configuration> {
  let known: { config: client.Configuration; at_ms: number } | undefined;
  let asking: Promise<client.Configuration> | undefined;

  async function askNow(): Promise<client.Configuration> {
    try {
      const config = await ask();
      known = { config, at_ms: performance.now() };
      return config;
    } catch (error) {
      // What it said an hour ago is better than nobody getting in.
      if (known) return known.config;
      throw toAppError(new Error('discovery failed', { cause: error }));
    } finally {
      asking = undefined;
    }
  }

  return async () => {
    if (known && performance.now() - known.at_ms < REDISCOVER_AFTER_MS) return known.config;
    asking ??= askNow();
    return asking;
  };
}
