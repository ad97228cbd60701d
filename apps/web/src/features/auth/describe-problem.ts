import { ApiError, REQUEST_ERRORS } from '#web/shared/api/errors.ts';

/** An error whose exact text the spec defines; the page translates it. */
export class SignInError extends Error {}

/**
 * The texts that may arrive as `?error=`, from the session or as a SignInError, and their translation keys. Codes and
 * texts of the error catalogue may arrive too. Any other text in a URL could be an attacker's, so it is never shown.
 */
const MESSAGE_KEYS = {
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
  oauth_failed_provider: 'providerRefused',
  oauth_failed_clock: 'clockWrong',
  oauth_failed_setting: 'settingWrong',
  // From the provider itself (RFC 6749, 4.1.2.1 and OpenID Connect Core, 3.1.2.6).
  unauthorized_client: 'unauthorizedClient',
  invalid_scope: 'invalidScope',
  invalid_request: 'settingWrong',
  unsupported_response_type: 'settingWrong',
  login_required: 'loginRequired',
  interaction_required: 'loginRequired',
  account_selection_required: 'loginRequired',
} as const;

/** The provider's own failures (RFC 6749, 4.1.2.1), mapped to codes of our catalogue. */
const PROVIDER_CODES: Record<string, string> = {
  server_error: 'provider_unavailable',
  temporarily_unavailable: 'provider_unavailable',
};

type MessageKey = (typeof MESSAGE_KEYS)[keyof typeof MESSAGE_KEYS];
export type Fallback = 'loginFailed' | 'registrationFailed' | 'callbackFailed' | 'failed';

/** The description of a problem: a text of ours, the text of an error code, or the server's own message. */
export type ProblemDescription =
  | { key: MessageKey }
  | { key: 'tooMany'; count: number }
  | { error_code: string }
  | { server_message: string };

/** Returns words for a failed sign-in: from an error, or from the text of an `?error=` query. */
export function describeProblem(
  problem: unknown,
  fallback: Fallback,
  isErrorCode: (code: string) => boolean,
): ProblemDescription {
  const text = problem instanceof SignInError ? problem.message : problem;
  if (typeof text === 'string') return describeText(text, isErrorCode) ?? { key: fallback };
  if (!(problem instanceof ApiError)) return { key: fallback };
  const { code, status, server_message, retry_after_s } = problem;
  if (status === 429 && retry_after_s > 0) return { key: 'tooMany', count: Math.ceil(retry_after_s / 60) };
  const known_code = fallback === 'callbackFailed' ? callbackErrorCode(problem) : detailedErrorCode(problem);
  if (known_code !== null && hasMessageKey(known_code)) return { key: MESSAGE_KEYS[known_code] };
  if (known_code !== null && isErrorCode(known_code)) return { error_code: known_code };
  if (code === 'HTTP_ERROR') return server_message === null ? { key: fallback } : { server_message };
  return code === 'UNKNOWN_ERROR' ? { key: fallback } : { error_code: code };
}

function describeText(text: string, isErrorCode: (code: string) => boolean): ProblemDescription | null {
  if (hasMessageKey(text)) return { key: MESSAGE_KEYS[text] };
  const code = Object.entries(REQUEST_ERRORS).find(([, message]) => message === text)?.[0];
  const error_code = code ?? PROVIDER_CODES[text] ?? text;
  return isErrorCode(error_code) ? { error_code } : null;
}

function hasMessageKey(text: string): text is keyof typeof MESSAGE_KEYS {
  return Object.hasOwn(MESSAGE_KEYS, text);
}

/**
 * Returns the reason of a failed callback for the sign-in page: a code of the catalogue or one of the spec's sentences.
 */
export function callbackFailureReason(error: unknown): string {
  if (error instanceof SignInError) return error.message;
  if (!(error instanceof ApiError)) return 'OAuth callback failed';
  const callback_code = callbackErrorCode(error);
  if (callback_code !== null) return callback_code;
  return error.code === 'HTTP_ERROR' ? 'OAuth callback failed' : error.code;
}

/** The user did not type a callback's parameters: if they are invalid, the user can only start again. */
function callbackErrorCode(error: ApiError): string | null {
  return error.backend_error === 'validation_failed' ? 'oauth_state_invalid' : detailedErrorCode(error);
}

/** A refused sign-in names the cause in its details: the provider, a clock or a setting. */
function detailedErrorCode({ backend_error, details }: ApiError): string | null {
  if (backend_error !== 'oauth_failed') return backend_error;
  const detailed_code = `${backend_error}_${details[0]?.path ?? ''}`;
  return hasMessageKey(detailed_code) ? detailed_code : backend_error;
}
