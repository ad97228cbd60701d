import type { ErrorCode } from '@sendlap/contract/errors.ts';
import { isTextKey } from '#web/shared/i18n/texts.ts';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useLoadedTranslation, useTranslation } from '#web/shared/i18n/use-translation.ts';
import { describeProblem, type Fallback, readRequestId, requestIdOf, type Words } from './describe-problem.ts';

/** Returns words for a failed sign-in in the page's language, with the request's id if it helps the operator. */
export function useSignInMessage(): (problem: unknown, fallback: Fallback, request_id?: string | null) => string {
  const { t } = useTranslation('auth');
  const language = useLanguage();
  const errorText = useLoadedTranslation('errors');
  const isErrorCode = (code: string) => errorText !== null && isTextKey(language, 'errors', code);
  const textOf = (words: Words) => {
    if ('said' in words) return words.said;
    if ('error_code' in words) return errorText?.(words.error_code as ErrorCode) ?? words.error_code;
    return words.key === 'tooMany' ? t('tooMany', { count: words.count }) : t(words.key);
  };
  return (problem, fallback, request_id = null) => {
    const words = describeProblem(problem, fallback, isErrorCode);
    const id = isForOperator(words) ? (requestIdOf(problem) ?? readRequestId(request_id)) : null;
    return id === null ? textOf(words) : `${textOf(words)} ${t('requestId', { id })}`;
  };
}

const FOR_OPERATOR = ['providerRefused', 'clockWrong', 'settingWrong', 'oauth_failed', 'provider_unavailable'];

/** Typos and other problems that users can solve themselves need no request id. */
function isForOperator(words: Words): boolean {
  return FOR_OPERATOR.includes('key' in words ? words.key : 'error_code' in words ? words.error_code : '');
}
