import { randomBytes } from 'node:crypto';
import { CALLBACK_PATH } from '@sendlap/contract/wire/screens.ts';
import * as client from 'openid-client';
import { toPrintable } from '#api/platform/start-error.ts';
import { authenticationMethods, isClientRefused } from './client-authentication.ts';
import { announcesPromptCreate, type ExternalProviderOptions, isCognito } from './external-provider.ts';
import { explainProviderError, type ProviderCall } from './provider-errors.ts';
import { createProviderFetch, createProviderLink, type ProviderLink } from './provider-link.ts';

const MAX_CLOCK_DIFFERENCE_S = 30;
const MAX_QUOTED_LENGTH = 500;

export interface ProviderFinding {
  check: string;
  /** `lacking`: users can still sign in. `broken`: they can't. */
  verdict: 'good' | 'lacking' | 'broken';
  detail: string;
}

/** Checks which of the features that the app uses the provider supports, as far as possible without a sign-in. */
export async function checkProvider(options: ExternalProviderOptions): Promise<ProviderFinding[]> {
  const issuer = new URL(options.issuer);
  const call: ProviderCall = { endpoint: issuer.href, status: undefined };
  let clock_ahead_s: number | undefined;
  const fetchReply = options.fetch ?? createProviderFetch(issuer);
  const fetchAndReadClock: client.CustomFetch = async (url, request) => {
    const reply = await fetchReply(url, request);
    const date_ms = Date.parse(reply.headers.get('date') ?? '');
    if (!Number.isNaN(date_ms)) clock_ahead_s = Math.round((date_ms - Date.now()) / 1000);
    return reply;
  };
  const link = createProviderLink({ ...options, issuer, fetch: fetchAndReadClock }, call);
  let metadata: client.ServerMetadata;
  try {
    metadata = await link.ask();
  } catch (error) {
    return [{ check: 'discovery', verdict: 'broken', detail: describeError(error, call, options.issuer) }];
  }
  const findings = [
    finding('discovery', 'good', `issuer ${metadata.issuer}`),
    ...describeMetadata(metadata, options),
    await checkKeys(metadata, fetchAndReadClock),
    await checkClient(metadata, link, options),
  ];
  return [...findings, checkClock(clock_ahead_s)];
}

function finding(check: string, verdict: ProviderFinding['verdict'], detail: string): ProviderFinding {
  return { check, verdict, detail: toPrintable(detail).slice(0, MAX_QUOTED_LENGTH) };
}

function describeMetadata(metadata: client.ServerMetadata, options: ExternalProviderOptions): ProviderFinding[] {
  const { end_session_endpoint, userinfo_endpoint, scopes_supported, code_challenge_methods_supported } = metadata;
  const is_cognito = isCognito(new URL(options.issuer));
  const missing = ['email', 'profile'].filter((scope) => scopes_supported && !scopes_supported.includes(scope));
  const sign_up = is_cognito
    ? 'by /signup'
    : (options.signup_url ?? (announcesPromptCreate(metadata) ? 'by prompt=create' : undefined));
  return [
    finding('sign-in', 'good', String(metadata.authorization_endpoint)),
    featureFinding(
      'PKCE',
      code_challenge_methods_supported?.includes('S256') ? 'S256' : undefined,
      'S256 is not announced; it is sent all the same',
    ),
    featureFinding(
      'scopes',
      missing.length > 0 ? undefined : scopes_supported ? 'openid email profile' : 'not told',
      `${missing.join(' and ')} not offered: people may be without e-mail or name`,
    ),
    featureFinding('userinfo', userinfo_endpoint, 'none: e-mail and name come with the ID token or not at all'),
    featureFinding(
      'sign-up',
      sign_up,
      'prompt=create is not announced: set OIDC_SIGNUP_URL, or the app hides "Create account"',
    ),
    featureFinding(
      'sign-out',
      end_session_endpoint ?? (is_cognito ? 'by /logout' : undefined),
      'no end_session_endpoint: its session lives on, the app asks for the password next time',
    ),
  ];
}

function featureFinding(check: string, detail: string | undefined, missing_text: string): ProviderFinding {
  return detail ? finding(check, 'good', detail) : finding(check, 'lacking', missing_text);
}

async function checkKeys(
  { jwks_uri }: client.ServerMetadata,
  fetchReply: client.CustomFetch,
): Promise<ProviderFinding> {
  try {
    const request = {
      method: 'GET',
      headers: { accept: 'application/json' },
      body: undefined,
      redirect: 'manual',
    } as const;
    const reply = await fetchReply(String(jwks_uri), { ...request, signal: AbortSignal.timeout(5_000) });
    const { keys } = (await reply.json()) as { keys?: { kty?: unknown; alg?: unknown }[] };
    if (!Array.isArray(keys) || keys.length === 0) return finding('keys', 'broken', `none at ${String(jwks_uri)}`);
    return finding('keys', 'good', keys.map(({ alg, kty }) => String(alg ?? kty)).join(', '));
  } catch (error) {
    return finding('keys', 'broken', `${String(jwks_uri)}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Sends the client's credentials with an invented code: a provider that accepts the client refuses the code. */
async function checkClient(metadata: client.ServerMetadata, link: ProviderLink, options: ExternalProviderOptions) {
  const url = new URL(`${options.public_url}${CALLBACK_PATH}`);
  url.search = new URLSearchParams({ code: 'sendlap-oidc-check', iss: metadata.issuer }).toString();
  const call: ProviderCall = { endpoint: String(metadata.token_endpoint), status: undefined };
  let detail = 'refused';
  for (const { name, authenticate } of authenticationMethods(options, metadata)) {
    try {
      const config = await link.configure(authenticate, call);
      await client.authorizationCodeGrant(config, url, { pkceCodeVerifier: randomBytes(32).toString('base64url') });
    } catch (error) {
      const is_code_refused = error instanceof client.ResponseBodyError && error.error === 'invalid_grant';
      if (is_code_refused) return finding('client', 'good', `taken by ${name}`);
      detail = describeError(error, call, options.issuer);
      if (!isClientRefused(error)) return finding('client', 'broken', detail);
    }
  }
  return finding('client', 'broken', `client id or secret refused: ${detail}`);
}

function checkClock(ahead_s: number | undefined): ProviderFinding {
  if (ahead_s === undefined) return finding('clock', 'lacking', 'not told');
  const is_good = Math.abs(ahead_s) <= MAX_CLOCK_DIFFERENCE_S;
  return finding(
    'clock',
    is_good ? 'good' : 'broken',
    `${Math.abs(ahead_s)} s ${ahead_s < 0 ? 'behind' : 'ahead of'} ours`,
  );
}

function describeError(error: unknown, call: ProviderCall, issuer: string): string {
  const { log_fields = {} } = explainProviderError(error, call, issuer);
  return Object.entries(log_fields)
    .filter(([name, value]) => value !== undefined && name !== 'spot')
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}
