import * as client from 'openid-client';
import { AppError } from '#api/platform/errors.ts';
import { isClientRefused } from './client-authentication.ts';

/** The cause of the trouble: the provider, a clock, or a setting that the operator made here or at the provider. */
export type ProblemSource = 'provider' | 'clock' | 'setting';

/** The last request to the provider. `status` is undefined until a reply arrives. */
export interface ProviderCall {
  endpoint: string;
  status: number | undefined;
}

const TIMESTAMP_CHECK_FAILED = 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED';
const MAX_QUOTED_LENGTH = 200;
const CONTROL = /\p{Cc}/gu;
/** RFC 6749, 5.2: errors that a retry does not fix. `invalid_client` has a rule of its own. */
const SETTING_ERRORS = new Set(['unauthorized_client', 'unsupported_grant_type', 'invalid_scope', 'invalid_request']);

const USER_MESSAGES: Record<ProblemSource, string> = {
  provider: 'The sign-in provider refused, or its answer does not fit: please sign in again',
  clock: 'The clocks of this server and of the sign-in provider differ',
  setting: 'This server and the sign-in provider are not set up for each other',
};

/** An ID token with impossible times. `ahead_s`: how far the provider's clock is ahead of ours. */
export class FutureTokenError extends Error {
  readonly code = TIMESTAMP_CHECK_FAILED;
  readonly ahead_s: number;

  constructor(ahead_s: number) {
    super('the ID token was made in the future');
    this.ahead_s = ahead_s;
  }
}

const UNREACHABLE_CODES = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);

/** The provider's own text goes to the log only. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const refused =
    (error instanceof client.ResponseBodyError && error.status < 500 && error.status !== 429) ||
    error instanceof client.AuthorizationResponseError ||
    error instanceof client.WWWAuthenticateChallengeError ||
    (error instanceof client.ClientError && !UNREACHABLE_CODES.has(error.code ?? ''));
  if (refused)
    return new AppError('oauth_failed', 'The sign-in could not be completed, please try again', { cause: error });
  return new AppError('provider_unavailable', 'The sign-in provider cannot be reached just now', {
    cause: error,
    retry_after_s: 5,
  });
}

/**
 * Returns the same refusal with facts for the operator: `details` name the cause for the user; the log gets the error,
 * endpoint, status, the provider's own text, and both issuers if they differ.
 */
export function explainProviderError(error: unknown, call: ProviderCall, issuer: string): AppError {
  const refusal = toAppError(error);
  const cause = refusal.cause ?? refusal;
  const told_issuer = claimedIssuer(cause);
  const log_fields = {
    cause: describe(cause),
    ...call,
    issuer,
    ...(told_issuer === undefined || told_issuer === issuer ? {} : { told_issuer }),
    ...providerErrorFields(cause),
    ...clockFields(cause),
  };
  const { code, retry_after_s } = refusal;
  if (code !== 'oauth_failed') {
    return new AppError(code, refusal.message, { cause, log_fields, ...(retry_after_s ? { retry_after_s } : {}) });
  }
  const spot = findProblemSource(cause, told_issuer, issuer);
  return new AppError(code, USER_MESSAGES[spot], {
    cause,
    details: [{ path: spot, message: USER_MESSAGES[spot] }],
    log_fields: { spot, ...log_fields },
  });
}

function findProblemSource(cause: unknown, told_issuer: string | undefined, issuer: string): ProblemSource {
  if (isClientRefused(cause)) return 'setting';
  if (cause instanceof client.ResponseBodyError && SETTING_ERRORS.has(cause.error)) return 'setting';
  const codes = causeChain(cause).map((each) => each.code);
  if (codes.includes(TIMESTAMP_CHECK_FAILED)) return 'clock';
  if (codes.includes('OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')) return 'setting';
  const differs_by_slash =
    told_issuer !== undefined &&
    told_issuer !== issuer &&
    withoutTrailingSlash(told_issuer) === withoutTrailingSlash(issuer);
  return differs_by_slash ? 'setting' : 'provider';
}

const withoutTrailingSlash = (issuer: string) => issuer.replace(/\/$/, '');

interface CauseLink {
  message?: unknown;
  code?: unknown;
  cause?: unknown;
}

/** Returns the error and its causes; the last one may be the data that was compared. */
function causeChain(error: unknown): CauseLink[] {
  const chain: CauseLink[] = [];
  for (
    let link = error as CauseLink | undefined;
    link instanceof Object && chain.length < 8;
    link = link.cause as CauseLink
  ) {
    chain.push(link);
  }
  return chain;
}

interface ComparedValues {
  claim?: unknown;
  attribute?: unknown;
  claims?: { iss?: unknown; iat?: unknown };
  body?: { issuer?: unknown };
  now?: unknown;
}

function comparedValues(error: unknown): ComparedValues {
  return (causeChain(error).at(-1) ?? {}) as ComparedValues;
}

/** Returns the issuer that the provider claims to be, if it was compared. */
function claimedIssuer(error: unknown): string | undefined {
  const { claim, attribute, claims, body } = comparedValues(error);
  const claimed = claim === 'iss' ? claims?.iss : attribute === 'issuer' ? body?.issuer : undefined;
  return typeof claimed === 'string' ? quote(claimed) : undefined;
}

function clockFields(error: unknown): { clock_ahead_s?: number } {
  if (error instanceof FutureTokenError) return { clock_ahead_s: error.ahead_s };
  const { claims, now } = comparedValues(error);
  if (typeof now !== 'number' || typeof claims?.iat !== 'number') return {};
  return { clock_ahead_s: Math.round(claims.iat - now) };
}

/** Returns the provider's error code and description (RFC 6749, 5.2). */
function providerErrorFields(error: unknown): { error?: string; error_description?: string } {
  if (!(error instanceof client.ResponseBodyError)) return {};
  const { error: name, error_description: words } = error;
  return { error: quote(name), ...(words === undefined ? {} : { error_description: quote(words) }) };
}

function describe(cause: unknown): string {
  const messages = causeChain(cause)
    .map(({ message }) => message)
    .filter((message) => typeof message === 'string');
  return quote([...new Set(messages)].join(': '));
}

/** Returns a foreign text as a single line. */
function quote(text: string): string {
  return text.replaceAll(CONTROL, ' ').slice(0, MAX_QUOTED_LENGTH);
}
