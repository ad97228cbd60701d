import { ApiError, REQUEST_ERRORS } from '#web/shared/api/errors.ts';

/** A refusal whose exact words the spec gives; the page translates them. */
export class SignInError extends Error {}

/**
 * The texts that may arrive as `?error=`, from the session or as a SignInError, and what they are called in the
 * translations. Codes and texts of the error catalogue may arrive too. Anything else in an address could be
 * anybody's words, so it is never shown as ours.
 */
const KNOWN_MESSAGES = {
  'No authorization code received': 'noCode',
  'No authorization URL received from backend': 'noAuthorizationUrl',
  'No access token received from OAuth callback': 'noCallbackToken',
  'No access token received from login': 'noLoginToken',
  'No user data received from login': 'noLoginUser',
  'Logout failed, but you have been logged out locally': 'logoutFailed',
  'Failed to complete authentication': 'notCompleted',
  'OAuth callback failed': 'callbackFailed',
  'Login failed': 'loginFailed',
  'Registration failed': 'registrationFailed',
  'Authentication failed': 'failed',
  'Authentication context not available': 'noContext',
  access_denied: 'cancelled',
} as const;

/** What providers call their own trouble (RFC 6749, 4.1.2.1), in our catalogue's words. */
const PROVIDER_CODES: Record<string, string> = {
  server_error: 'provider_unavailable',
  temporarily_unavailable: 'provider_unavailable',
};

type Known = (typeof KNOWN_MESSAGES)[keyof typeof KNOWN_MESSAGES];
export type Fallback = 'loginFailed' | 'registrationFailed' | 'callbackFailed' | 'failed';

/** Which words tell a problem: a text of ours, the text of an error code, or what the server itself said. */
export type Words = { key: Known } | { key: 'tooMany'; count: number } | { error_code: string } | { said: string };

/** Words for what went wrong with a sign-in: an error, or the text of an `?error=` query. */
export function describeProblem(problem: unknown, fallback: Fallback, isErrorCode: (code: string) => boolean): Words {
  const text = problem instanceof SignInError ? problem.message : problem;
  if (typeof text === 'string') return describeText(text, isErrorCode) ?? { key: fallback };
  if (!(problem instanceof ApiError)) return { key: fallback };
  const { code, status, backend_error, server_message, retry_after_s } = problem;
  if (status === 429 && retry_after_s > 0) return { key: 'tooMany', count: Math.ceil(retry_after_s / 60) };
  const told = fallback === 'callbackFailed' ? callbackCode(backend_error) : backend_error;
  if (told !== null && isErrorCode(told)) return { error_code: told };
  if (code === 'HTTP_ERROR') return server_message === null ? { key: fallback } : { said: server_message };
  return code === 'UNKNOWN_ERROR' ? { key: fallback } : { error_code: code };
}

function describeText(text: string, isErrorCode: (code: string) => boolean): Words | null {
  if (isKnown(text)) return { key: KNOWN_MESSAGES[text] };
  const code = Object.entries(REQUEST_ERRORS).find(([, message]) => message === text)?.[0];
  const error_code = code ?? PROVIDER_CODES[text] ?? text;
  return isErrorCode(error_code) ? { error_code } : null;
}

function isKnown(text: string): text is keyof typeof KNOWN_MESSAGES {
  return Object.hasOwn(KNOWN_MESSAGES, text);
}

/** What the sign-in page is told about a failed callback: a code of the catalogue or one of the spec's sentences. */
export function reasonOf(error: unknown): string {
  if (error instanceof SignInError) return error.message;
  if (!(error instanceof ApiError)) return 'OAuth callback failed';
  const told = callbackCode(error.backend_error);
  if (told !== null) return told;
  return error.code === 'HTTP_ERROR' ? 'OAuth callback failed' : error.code;
}

/** Nobody typed what a callback brings: one that is not valid cannot be mended, only started again. */
function callbackCode(backend_error: string | null): string | null {
  return backend_error === 'validation_failed' ? 'oauth_state_invalid' : backend_error;
}
