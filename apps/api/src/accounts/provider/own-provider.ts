import Fastify, { type InjectOptions } from 'fastify';
import type { Provider } from 'oidc-provider';
import * as client from 'openid-client';
import { loadSigningKeys } from '#api/database/signing-keys.ts';
import { allowedOrigins } from '#api/http/allowed-origins.ts';
import { AppError } from '#api/platform/errors.ts';
import { createAccounts, RATE_LIMIT_RETRY_AFTER_S } from '../accounts.ts';
import { type IdentityProvider, OWN_ISSUER_KEY } from '../identity.ts';
import { MOUNT_PATH } from '../paths.ts';
import { createPasswordRecheck, readPasswordStamp } from '../proven-password.ts';
import type { IdentityProviderOptions } from './identity-provider.ts';
import { mountEndpoints, mountProvider } from './mount.ts';
import { CLIENT_ID, createProvider, ID_TOKEN_ALG } from './provider.ts';
import { buildSignInUrl, exchangeCode } from './relying-party.ts';

/** The app as its own identity provider: accounts with e-mail and password, pages under /oidc. */
export async function createOwnProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { database, secrets, public_url } = options;
  const issuer = public_url + MOUNT_PATH;
  const client_secret = secrets.derive('client secret of the own provider').toString('base64url');
  const accounts = createAccounts(database, secrets);
  const keys = await loadSigningKeys({ database, secrets, purpose: 'identity provider', alg: ID_TOKEN_ALG });
  const redirect_uris = allowedOrigins(public_url).map((origin) => origin + options.callback_path);
  const provider = createProvider({ database, secrets, accounts, issuer, client_secret, redirect_uris, keys });
  const config = new client.Configuration(
    {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      authorization_response_iss_parameter_supported: true,
    },
    CLIENT_ID,
    { client_secret, id_token_signed_response_alg: ID_TOKEN_ALG },
    client.ClientSecretPost(client_secret),
  );
  config[client.customFetch] = fetchInProcess(provider, public_url);
  // Safe: the requests never leave the process (see `fetchInProcess`), and `public_url` may be http.
  client.allowInsecureRequests(config);
  client.enableNonRepudiationChecks(config);

  return {
    is_own: true,
    password_reset: options.mail !== undefined,
    mount: (app, limitRequests) => mountProvider(app, { ...options, provider, accounts, limitRequests }),
    beginSignIn: (sign_in, { signup, ui_locales }) =>
      buildSignInUrl(config, sign_in, {
        ...(signup ? { prompt: 'create' } : {}),
        ...(ui_locales ? { ui_locales } : {}),
      }),
    async completeSignIn(sign_in, callback) {
      const { identity, claims } = await exchangeCode(config, sign_in, callback);
      const recheck = createPasswordRecheck(identity.subject, readPasswordStamp(claims.amr), passwordReplaced);
      return { ...identity, issuer: OWN_ISSUER_KEY, recheck };
    },
    async signInWithPassword(input) {
      const result = await accounts.signIn(input);
      if (result === 'too_many_attempts') {
        throw new AppError('too_many_requests', 'Too many attempts, please wait a minute', {
          retry_after_s: RATE_LIMIT_RETRY_AFTER_S,
        });
      }
      if (result === 'credentials_wrong') throw credentialsWrong();
      const { id, email, display_name, password_stamp, device_cookie } = result;
      const recheck = createPasswordRecheck(id, password_stamp, credentialsWrong);
      return { issuer: OWN_ISSUER_KEY, subject: id, email, name: display_name, recheck, device_cookie };
    },
    // The provider's session ends with the sign-in itself (see `cookieOptions` in provider.ts).
    signOut: async () => null,
    offersSignUp: async () => true,
  };
}

function credentialsWrong(): AppError {
  return new AppError('credentials_wrong', 'E-mail or password is not right');
}

function passwordReplaced(): AppError {
  return new AppError('oauth_failed', 'The password has changed, please sign in again');
}

/**
 * Calls to our own token endpoint stay in the process: the server itself may not reach its public address (a proxy in
 * front, a certificate, another port). They do not pass the app, which would refuse them in an overload or a shutdown,
 * after the sign-in of an admitted request was used up.
 */
function fetchInProcess(provider: Provider, public_url: string): client.CustomFetch {
  const endpoints = Fastify({ logger: false });
  mountEndpoints(endpoints, provider, public_url);
  return async (url, { method, headers, body }) => {
    const { pathname, search } = new URL(url);
    const payload = body instanceof URLSearchParams ? body.toString() : undefined;
    const reply = await endpoints.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url: pathname + search,
      headers,
      ...(payload === undefined ? {} : { payload }),
    });
    const reply_headers = Object.entries(reply.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return new Response(reply.body, { status: reply.statusCode, headers: reply_headers });
  };
}
