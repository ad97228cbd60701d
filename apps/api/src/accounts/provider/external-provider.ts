import * as client from 'openid-client';
import type { AppError } from '#api/platform/errors.ts';
import { StartError } from '#api/platform/start-error.ts';
import type { IdentityProvider } from '../identity.ts';
import { authenticationMethods, isClientRefused } from './client-authentication.ts';
import { createProviderLink, type LinkOptions, type ProviderLink } from './provider-link.ts';
import { explainTrouble, type ProviderCall } from './provider-trouble.ts';
import { buildSignInUrl, exchangeCode } from './relying-party.ts';

const COGNITO_HOST = /^cognito-idp\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/;
/** It travels in an address; servers take about 8 KB of one. */
const MAX_HINT_LENGTH = 4_096;

type ExchangeInput = Parameters<typeof exchangeCode> extends [unknown, ...infer Rest] ? Rest : never;

export interface ExternalProviderOptions extends Omit<LinkOptions, 'issuer'> {
  issuer: string;
  public_url: string;
  /** Where the provider makes new accounts, if it has an address of its own for that. */
  signup_url?: string | undefined;
}

/** Any OpenID provider by discovery: asked before each way to it, so that nobody is sent to one that is down. */
export function createExternalProvider(options: ExternalProviderOptions): IdentityProvider {
  const { client_id, public_url, signup_url } = options;
  const issuer = new URL(options.issuer);
  if (issuer.protocol === 'http:' && issuer.hostname !== 'localhost' && issuer.hostname !== '127.0.0.1') {
    throw new StartError('OIDC_ISSUER: must be https unless it is on this machine');
  }
  const is_cognito = isCognito(issuer);
  const discovery_call: ProviderCall = { endpoint: issuer.href, status: undefined };
  const link = createProviderLink({ ...options, issuer }, discovery_call);
  const explainDiscovery = (error: unknown): never => {
    throw explainTrouble(asDiscoveryError(error), discovery_call, options.issuer);
  };
  const exchange = createExchange(options, link);

  return {
    own: false,
    password_reset: false,
    mount: async () => {},
    // Who can't be asked now is asked again when the button is pressed.
    offersSignUp: async () => {
      if (is_cognito || signup_url !== undefined) return true;
      return link.recall().then(announcesCreate, () => true);
    },
    async beginSignIn(sign_in, { signup, fresh, ui_locales }) {
      const metadata = await link.ask().catch(explainDiscovery);
      const config = await link.configure(client.None(), { ...discovery_call });
      const prompt = signup && announcesCreate(metadata) ? 'create' : fresh ? 'login' : undefined;
      const extra = { ...(prompt ? { prompt } : {}), ...(ui_locales ? { ui_locales } : {}) };
      const url = await buildSignInUrl(config, sign_in, extra);
      if (signup && signup_url !== undefined) return withQuery(new URL(signup_url), url.searchParams);
      // Cognito's hosted pages: sign-up takes the same parameters at another path.
      if (signup && is_cognito) url.pathname = '/signup';
      return url;
    },
    async completeSignIn(sign_in, answer) {
      const metadata = await link.recall().catch(explainDiscovery);
      const { identity, id_token } = await exchange(metadata, sign_in, answer);
      const is_kept = metadata.end_session_endpoint && !is_cognito && id_token && id_token.length <= MAX_HINT_LENGTH;
      return is_kept ? { ...identity, id_token } : identity;
    },
    signInWithPassword: undefined,
    async signOut(id_token) {
      const { authorization_endpoint, end_session_endpoint } = await link.ask().catch(explainDiscovery);
      const back = `${public_url}/login`;
      if (is_cognito) {
        const url = new URL('/logout', authorization_endpoint);
        return withQuery(url, new URLSearchParams({ client_id, logout_uri: back })).href;
      }
      // Many providers show an error, or nothing, to who comes without the hint, and end nothing.
      if (!end_session_endpoint || id_token === undefined) return null;
      const query = { id_token_hint: id_token, client_id, post_logout_redirect_uri: back };
      return withQuery(new URL(end_session_endpoint), new URLSearchParams(query)).href;
    },
  };
}

/** A code may be shown again where client id and secret were refused, so the next method of showing them is tried then. */
function createExchange(options: ExternalProviderOptions, link: ProviderLink) {
  let taken: string | undefined;
  return async (metadata: client.ServerMetadata, ...input: ExchangeInput) => {
    const methods = authenticationMethods(options, metadata);
    methods.sort((a, b) => Number(b.name === taken) - Number(a.name === taken));
    const call: ProviderCall = { endpoint: String(metadata.token_endpoint), status: undefined };
    let refused: AppError | undefined;
    for (const { name, authenticate } of methods) {
      try {
        const result = await exchangeCode(await link.configure(authenticate, call), ...input);
        taken = name;
        return result;
      } catch (error) {
        const trouble = explainTrouble(error, call, options.issuer);
        if (!isClientRefused(trouble.cause)) throw trouble;
        refused ??= trouble;
      }
    }
    throw refused;
  };
}

/** Amazon's provider has sign-up and sign-out at paths of its own. */
export function isCognito({ hostname }: URL): boolean {
  return COGNITO_HOST.test(hostname);
}

/** `prompt=create` is an extension; a provider that does not announce it might refuse the whole request. */
export function announcesCreate(metadata: client.ServerMetadata): boolean {
  const announced: unknown = metadata.prompt_values_supported;
  return Array.isArray(announced) && announced.includes('create');
}

/** A discovery that says what it should not is no answer; one under another name is a setting. */
function asDiscoveryError(error: unknown): unknown {
  const is_other_issuer =
    error instanceof client.ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
  return is_other_issuer ? error : new Error('discovery failed', { cause: error });
}

function withQuery(url: URL, query: URLSearchParams): URL {
  for (const [name, value] of query) url.searchParams.set(name, value);
  return url;
}
