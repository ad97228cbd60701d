import type { ErrorCode } from '@sendlap/contract/errors.ts';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/shared/api/errors.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { SignInError } from './sign-in.ts';

/**
 * The texts that may arrive as `?error=` or as a SignInError, and what they are called in the translations.
 * Codes of the error catalogue may arrive too. Anything else in an address could be anybody's words, so it is never shown as ours.
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
  'Authentication failed': 'failed',
  access_denied: 'cancelled',
} as const;
type Known = keyof typeof KNOWN_MESSAGES;
type Fallback = 'loginFailed' | 'registrationFailed' | 'callbackFailed' | 'failed';

function isKnown(message: string): message is Known {
  return Object.hasOwn(KNOWN_MESSAGES, message);
}

/** Words for what went wrong with a sign-in: an error, or the text of an `?error=` query. */
export function useSignInMessage(): (problem: unknown, fallback: Fallback) => string {
  const { t, i18n } = useTranslation('auth');
  const errorText = useErrorText();
  return (problem, fallback) => {
    const message = problem instanceof SignInError ? problem.message : problem;
    if (typeof message === 'string' && isKnown(message)) return t(KNOWN_MESSAGES[message]);
    if (typeof message === 'string' && i18n.exists(message, { ns: 'errors' }))
      return i18n.t(message as ErrorCode, { ns: 'errors' });
    if (problem instanceof ApiError && problem.code !== 'UNKNOWN_ERROR') return errorText(problem);
    return t(fallback);
  };
}
