import { LOGIN_PATH } from '@sendlap/contract/wire/screens.ts';
import * as client from 'openid-client';
import type { AppError } from '#api/platform/errors.ts';
import { StartError } from '#api/platform/start-error.ts';
import type { IdentityProvider } from '../identity.ts';
import { authenticationMethods, isClientRefused } from './client-authentication.ts';
import { explainProviderError, type ProviderCall } from './provider-errors.ts';
import { createProviderLink, type LinkOptions, type ProviderLink } from './provider-link.ts';
import { buildSignInUrl, exchangeCode } from './relying-party.ts';

const COGNITO_HOST = /^cognito-idp\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/;
/** The hint is part of a URL, and servers accept URLs of about 8 KB. */
const MAX_HINT_LENGTH = 4_096;

type ExchangeInput = Parameters<typeof exchangeCode> extends [unknown, ...infer Rest] ? Rest : never;

export interface ExternalProviderOptions extends Omit<LinkOptions, 'issuer'> {
  issuer: string;
  public_url: string;
  /** The provider's page for new accounts, if it has a separate one. */
  signup_url?: string | undefined;
}

/**
 * Any OpenID provider with discovery. The provider is contacted before each redirect, so that no user is sent to one
 * that is down.
 */
export function createExternalProvider(options: ExternalProviderOptions): IdentityProvider {
  const { client_id, public_url, signup_url } = options;
  const issuer = new URL(options.issuer);
  if (issuer.protocol === 'http:' && issuer.hostname !== 'localhost' && issuer.hostname !== '127.0.0.1') {
    throw new StartError('OIDC_ISSUER: must be https unless it is on this machine');
  }
  const is_cognito = isCognito(issuer);
  const discovery_call: ProviderCall = { endpoint: issuer.href, status: undefined };
  const link = createProviderLink({ ...options, issuer }, discovery_call);
  const rethrowDiscoveryError = (error: unknown): never => {
    throw explainProviderError(asDiscoveryError(error), discovery_call, options.issuer);
  };
  const exchange = createExchange(options, link);

  return {
    is_own: false,
    password_reset: false,
    mount: async () => {},
    // If the provider can't be reached now, it is contacted again when the visitor presses the button.
    offersSignUp: async () => {
      if (is_cognito || signup_url !== undefined) return true;
      const metadata = await link.peekMetadata();
      return metadata === undefined || announcesPromptCreate(metadata);
    },
    async beginSignIn(sign_in, { signup, force_login, ui_locales }) {
      const metadata = await link.ask().catch(rethrowDiscoveryError);
      const config = await link.configure(client.None(), { ...discovery_call });
      const prompt = signup && announcesPromptCreate(metadata) ? 'create' : force_login ? 'login' : undefined;
      const extra = { ...(prompt ? { prompt } : {}), ...(ui_locales ? { ui_locales } : {}) };
      const url = await buildSignInUrl(config, sign_in, extra);
      if (signup && signup_url !== undefined) return withQuery(new URL(signup_url), url.searchParams);
      // Cognito's hosted pages: sign-up takes the same parameters at another path.
      if (signup && is_cognito) url.pathname = '/signup';
      return url;
    },
    async completeSignIn(sign_in, callback) {
      const metadata = await link.getMetadata().catch(rethrowDiscoveryError);
      const { identity, id_token } = await exchange(metadata, sign_in, callback);
      const should_store_id_token =
        metadata.end_session_endpoint && !is_cognito && id_token && id_token.length <= MAX_HINT_LENGTH;
      return should_store_id_token ? { ...identity, id_token } : identity;
    },
    signInWithPassword: undefined,
    async signOut(id_token) {
      const { authorization_endpoint, end_session_endpoint } = await link.ask().catch(rethrowDiscoveryError);
      const return_url = `${public_url}${LOGIN_PATH}`;
      if (is_cognito) {
        const url = new URL('/logout', authorization_endpoint);
        return withQuery(url, new URLSearchParams({ client_id, logout_uri: return_url })).href;
      }
      // Without the hint many providers show an error, or nothing, and end no session.
      if (!end_session_endpoint || id_token === undefined) return null;
      const query = { id_token_hint: id_token, client_id, post_logout_redirect_uri: return_url };
      return withQuery(new URL(end_session_endpoint), new URLSearchParams(query)).href;
    },
  };
}

/**
 * If the provider rejected client id and secret, the code is still valid, so the next authentication method is tried.
 */
function createExchange(options: ExternalProviderOptions, link: ProviderLink) {
  let accepted_method: string | undefined;
  return async (metadata: client.ServerMetadata, ...input: ExchangeInput) => {
    const methods = authenticationMethods(options, metadata);
    methods.sort((a, b) => Number(b.name === accepted_method) - Number(a.name === accepted_method));
    const call: ProviderCall = { endpoint: String(metadata.token_endpoint), status: undefined };
    let first_refusal: AppError | undefined;
    for (const { name, authenticate } of methods) {
      try {
        const result = await exchangeCode(await link.configure(authenticate, call), ...input);
        accepted_method = name;
        return result;
      } catch (error) {
        const explained_error = explainProviderError(error, call, options.issuer);
        if (!isClientRefused(explained_error.cause)) throw explained_error;
        first_refusal ??= explained_error;
      }
    }
    throw first_refusal;
  };
}

/** Amazon's provider has its own paths for sign-up and sign-out. */
export function isCognito({ hostname }: URL): boolean {
  return COGNITO_HOST.test(hostname);
}

/** `prompt=create` is an extension; a provider that does not announce it might refuse the whole request. */
export function announcesPromptCreate(metadata: client.ServerMetadata): boolean {
  const announced: unknown = metadata.prompt_values_supported;
  return Array.isArray(announced) && announced.includes('create');
}

/** An invalid discovery document counts as no answer; one with another issuer is a wrong setting. */
function asDiscoveryError(error: unknown): unknown {
  const is_other_issuer =
    error instanceof client.ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
  return is_other_issuer ? error : new Error('discovery failed', { cause: error });
}

function withQuery(url: URL, query: URLSearchParams): URL {
  for (const [name, value] of query) url.searchParams.set(name, value);
  return url;
}
