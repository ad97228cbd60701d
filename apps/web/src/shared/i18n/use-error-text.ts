import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import { ApiError, requestIdOf } from '#web/shared/api/errors.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { formatWait } from './format-wait.ts';
import { isTextKey } from './texts.ts';
import { useLanguage, useLocale } from './use-language.ts';
import { useTranslation } from './use-translation.ts';

const TOO_MANY = 429;

const SERVER_ERROR = 500;
/** Refusals of what the app sent, not of what the user did. */
const APP_FAULTS: readonly string[] = [
  'bad_request',
  'method_not_allowed',
  'unsupported_media_type',
] satisfies ErrorCode[];

/**
 * Returns a function that describes an error in the user's language: by the server's code, else the server's own
 * message, else our text. A lasting rate limit includes its duration. An error that only the operator can mend ends with
 * the request's id, by which the operator finds it in the log.
 */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation('errors');
  const language = useLanguage();
  const locale = useLocale();
  const online = useOnline();
  const describe = (error: ApiError) => {
    const when = error.status === TOO_MANY ? formatWait(error.retry_after_s, Date.now(), locale) : null;
    if (when !== null) return t('limited', { when });
    // The texts contain every code of the contract, but no code of another server.
    const { backend_error } = error;
    if (backend_error !== null && isTextKey(language, 'errors', backend_error)) return t(backend_error);
    if (error.code === 'HTTP_ERROR') return error.message;
    return t(error.code === 'NETWORK_ERROR' && !online ? 'offline' : error.code);
  };
  return (error) => {
    if (!(error instanceof ApiError)) return t('UNKNOWN_ERROR');
    const id = isForOperator(error) ? requestIdOf(error) : null;
    return id === null ? describe(error) : `${describe(error)} ${t('quote_request', { id })}`;
  };
}

function isForOperator({ status, backend_error }: ApiError): boolean {
  return status >= SERVER_ERROR || (backend_error !== null && APP_FAULTS.includes(backend_error));
}
