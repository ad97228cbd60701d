import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import { parseRequestId, requestIdOf } from '#web/shared/api/errors.ts';
import { isTextKey } from '#web/shared/i18n/texts.ts';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useLoadedTranslation, useTranslation } from '#web/shared/i18n/use-translation.ts';
import { describeProblem, type Fallback, type ProblemDescription } from './describe-problem.ts';

/** Returns words for a failed sign-in in the page's language, with the request's id if it helps the operator. */
export function useSignInMessage(): (problem: unknown, fallback: Fallback, request_id?: string | null) => string {
  const { t } = useTranslation('auth');
  const language = useLanguage();
  const errorText = useLoadedTranslation('errors');
  const isErrorCode = (code: string) => errorText !== null && isTextKey(language, 'errors', code);
  const formatDescription = (description: ProblemDescription) => {
    if ('server_message' in description) return description.server_message;
    if ('error_code' in description) return errorText?.(description.error_code as ErrorCode) ?? description.error_code;
    return description.key === 'tooMany' ? t('tooMany', { count: description.count }) : t(description.key);
  };
  return (problem, fallback, request_id = null) => {
    const description = describeProblem(problem, fallback, isErrorCode);
    const id = isOperatorProblem(description) ? (requestIdOf(problem) ?? parseRequestId(request_id)) : null;
    return id === null ? formatDescription(description) : `${formatDescription(description)} ${t('requestId', { id })}`;
  };
}

const OPERATOR_PROBLEMS = ['providerRefused', 'clockWrong', 'settingWrong', 'oauth_failed', 'provider_unavailable'];

/** Typos and other problems that users can solve themselves need no request id. */
function isOperatorProblem(description: ProblemDescription): boolean {
  return OPERATOR_PROBLEMS.includes(
    'key' in description ? description.key : 'error_code' in description ? description.error_code : '',
  );
}
