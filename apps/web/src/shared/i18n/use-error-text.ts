import type { ErrorCode } from '@sendlap/contract/errors.ts';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/shared/api/errors.ts';
import { formatWait } from './format-wait.ts';
import { useLocale } from './use-language.ts';

const TOO_MANY = 429;

/**
 * Words for an error in the user's language: by the server's code, else the server's own message, else by ours. A limit
 * that lasts says how long.
 */
export function useErrorText(): (error: unknown) => string {
  const { t, i18n } = useTranslation('errors');
  const locale = useLocale();
  return (error) => {
    if (!(error instanceof ApiError)) return t('UNKNOWN_ERROR');
    const when = error.status === TOO_MANY ? formatWait(error.retry_after_s, Date.now(), locale) : null;
    if (when !== null) return t('limited', { when });
    // The texts hold every code of the contract; a code of another server is none of them.
    const { backend_error } = error;
    if (backend_error !== null && i18n.exists(backend_error, { ns: 'errors' })) return t(backend_error as ErrorCode);
    return error.code === 'HTTP_ERROR' ? error.message : t(error.code);
  };
}
