import * as client from 'openid-client';
import { AppError } from '../errors.ts';
import type { Identity, SignInSecrets } from './identity.ts';

/** All that we ask about a person. */
export const SCOPE = 'openid email profile';

/** The address to send the browser to. `extra`: parameters that only some providers know. */
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
 * Exchanges the code and checks the ID token (signature, issuer, audience, nonce, times). `iss` is what the browser
 * brought; where the provider promises it and the wire did not carry it, the configured issuer stands in.
 * Throws `oauth_failed` when the provider or the token refuses, `provider_unavailable` when it can't be asked.
 */
export async function exchangeCode(
  config: client.Configuration,
  secrets: SignInSecrets,
  answer: { code: string; iss?: string | undefined },
): Promise<Identity> {
  const metadata = config.serverMetadata();
  const url = new URL(secrets.redirect_uri);
  url.searchParams.set('code', answer.code);
  url.searchParams.set('state', secrets.state);
  const iss = answer.iss ?? (metadata.authorization_response_iss_parameter_supported ? metadata.issuer : undefined);
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
    const told: Record<string, unknown> = {
      ...claims,
      ...(await fetchMissingClaims(config, claims, tokens.access_token)),
    };
    return { subject: claims.sub, email: textOf(told.email) ?? '', name: textOf(told.name) };
  } catch (error) {
    throw toAppError(error);
  }
}

/** Many providers tell e-mail and name by userinfo only. A failure there is no reason to refuse a person. */
async function fetchMissingClaims(config: client.Configuration, claims: client.IDToken, access_token: string) {
  if (claims.email !== undefined || !config.serverMetadata().userinfo_endpoint) return {};
  try {
    return await client.fetchUserInfo(config, access_token, claims.sub);
  } catch {
    return {};
  }
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' && claim.isWellFormed() ? claim.replaceAll('\u0000', '') : undefined;
}

const UNREACHABLE = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);

/** The provider's own words go to the log only. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const refused =
    (error instanceof client.ResponseBodyError && error.status < 500 && error.status !== 429) ||
    error instanceof client.AuthorizationResponseError ||
    error instanceof client.WWWAuthenticateChallengeError ||
    (error instanceof client.ClientError && !UNREACHABLE.has(error.code ?? ''));
  if (refused)
    return new AppError('oauth_failed', 'The sign-in could not be completed, please try again', { cause: error });
  return new AppError('provider_unavailable', 'The sign-in provider cannot be reached just now', {
    cause: error,
    retry_after_s: 5,
  });
}
