import { ApiError } from '#web/shared/api/errors.ts';
import { formatWait } from './format-wait.ts';
import { isTextKey } from './texts.ts';
import { useLanguage, useLocale } from './use-language.ts';
import { useTranslation } from './use-translation.ts';

const TOO_MANY = 429;

/**
 * Returns a function that describes an error in the user's language: by the server's code, else the server's own
 * message, else our text. A lasting rate limit includes its duration.
 */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation('errors');
  const language = useLanguage();
  const locale = useLocale();
  return (error) => {
    if (!(error instanceof ApiError)) return t('UNKNOWN_ERROR');
    const when = error.status === TOO_MANY ? formatWait(error.retry_after_s, Date.now(), locale) : null;
    if (when !== null) return t('limited', { when });
    // The texts contain every code of the contract, but no code of another server.
    const { backend_error } = error;
    if (backend_error !== null && isTextKey(language, 'errors', backend_error)) return t(backend_error);
    return error.code === 'HTTP_ERROR' ? error.message : t(error.code);
  };
}
