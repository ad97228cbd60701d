import * as client from 'openid-client';
import { AppError } from '#api/platform/errors.ts';
import { MAX_EMAIL_LENGTH } from '../email.ts';
import type { Identity, SignInSecrets } from '../identity.ts';
import { FutureTokenError, toAppError } from './provider-errors.ts';

/** All claims that we request about a user. */
export const SCOPE = 'openid email profile';
/** OpenID Connect Core, section 2. */
const MAX_SUBJECT_LENGTH = 255;
const MAX_NAME_LENGTH = 200;
const MAX_CLOCK_DIFFERENCE_S = 300;
const CONTROL = /\p{Cc}/u;

/** Returns the URL to send the browser to. `extra`: parameters that only some providers know. */
export async function buildSignInUrl(
  config: client.Configuration,
  secrets: SignInSecrets,
  extra: Record<string, string> = {},
): Promise<URL> {
  return client.buildAuthorizationUrl(config, {
    redirect_uri: secrets.redirect_uri,
    scope: SCOPE,
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    ...extra,
  });
}

/**
 * Exchanges the code and checks the ID token (signature, issuer, audience, nonce, times). Returns the token's issuer,
 * as the configured one may be spelled differently. Throws `oauth_failed` if provider or token refuse,
 * `provider_unavailable` if the provider is unreachable.
 */
export async function exchangeCode(
  config: client.Configuration,
  secrets: SignInSecrets,
  callback: { code: string; iss?: string | undefined },
): Promise<{ identity: Identity; claims: client.IDToken; id_token: string | undefined }> {
  const metadata = config.serverMetadata();
  const url = new URL(secrets.redirect_uri);
  url.searchParams.set('code', callback.code);
  url.searchParams.set('state', secrets.state);
  // If the provider promises an `iss` and the browser sent none, the configured issuer is used.
  const iss = callback.iss ?? (metadata.authorization_response_iss_parameter_supported ? metadata.issuer : undefined);
  if (iss !== undefined) url.searchParams.set('iss', iss);
  try {
    const tokens = await client.authorizationCodeGrant(config, url, {
      pkceCodeVerifier: secrets.verifier,
      expectedState: secrets.state,
      expectedNonce: secrets.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new AppError('oauth_failed', 'The sign-in provider sent no identity');
    assertIdToken(claims, config.clientMetadata().client_id);
    const user_claims: Record<string, unknown> = {
      ...claims,
      ...(await fetchMissingClaims(config, claims, tokens.access_token)),
    };
    const identity = {
      issuer: claims.iss,
      subject: claims.sub,
      email: readTextClaim(user_claims.email, MAX_EMAIL_LENGTH) ?? '',
      name: readTextClaim(user_claims.name, MAX_NAME_LENGTH),
    };
    return { identity, claims, id_token: tokens.id_token };
  } catch (error) {
    throw toAppError(error);
  }
}

/** Checks of OpenID Connect Core 3.1.3.7 beyond signature, issuer, audience, nonce and expiry. */
function assertIdToken({ sub, iat, azp }: client.IDToken, client_id: string): void {
  const is_storable = sub.length <= MAX_SUBJECT_LENGTH && sub.isWellFormed() && !CONTROL.test(sub);
  if (sub === '' || !is_storable) throw new AppError('oauth_failed', 'The sign-in provider names no user');
  if (azp !== undefined && azp !== client_id) {
    throw new AppError('oauth_failed', 'The sign-in was made for another app');
  }
  const ahead_s = Math.round(iat - Date.now() / 1000);
  if (ahead_s > MAX_CLOCK_DIFFERENCE_S) {
    throw new AppError('oauth_failed', 'The clock of the sign-in provider is ahead', {
      cause: new FutureTokenError(ahead_s),
    });
  }
}

/** Many providers return e-mail and name only from userinfo. A failure there does not refuse the user. */
async function fetchMissingClaims(config: client.Configuration, claims: client.IDToken, access_token: string) {
  const has_claims = claims.email !== undefined && claims.name !== undefined;
  if (has_claims || !config.serverMetadata().userinfo_endpoint) return {};
  try {
    return await client.fetchUserInfo(config, access_token, claims.sub);
  } catch {
    return {};
  }
}

/** Returns a claim that can be stored and shown; undefined if it is missing, too long, or not text. */
function readTextClaim(claim: unknown, max_length: number): string | undefined {
  if (typeof claim !== 'string' || claim.length > max_length || !claim.isWellFormed()) return undefined;
  return claim.replaceAll('\u0000', '') || undefined;
}
