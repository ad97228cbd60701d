import type { ErrorCode } from '@sendlap/contract/errors.ts';
import { useTranslation } from 'react-i18next';
import { describeProblem, type Fallback, readRequestId, requestIdOf, type Words } from './describe-problem.ts';

/** Words for what went wrong with a sign-in, in the language of the page, with the id of the request where there is one. */
export function useSignInMessage(): (problem: unknown, fallback: Fallback, request_id?: string | null) => string {
  // Said again once the words are there, rather than waited for.
  const { t, i18n } = useTranslation(['auth', 'errors'], { useSuspense: false });
  const isErrorCode = (code: string) => /^\w+$/.test(code) && i18n.exists(code, { ns: 'errors' });
  const textOf = (words: Words) => {
    if ('said' in words) return words.said;
    if ('error_code' in words) return i18n.t(words.error_code as ErrorCode, { ns: 'errors' });
    return words.key === 'tooMany' ? t('tooMany', { count: words.count }) : t(words.key);
  };
  return (problem, fallback, request_id = null) => {
    const words = describeProblem(problem, fallback, isErrorCode);
    const id = isForOperator(words) ? (requestIdOf(problem) ?? readRequestId(request_id)) : null;
    return id === null ? textOf(words) : `${textOf(words)} ${t('requestId', { id })}`;
  };
}

const FOR_OPERATOR = ['providerRefused', 'clockWrong', 'settingWrong', 'oauth_failed', 'provider_unavailable'];

/** What somebody mistyped needs no id, and neither does what they can mend themselves. */
function isForOperator(words: Words): boolean {
  return FOR_OPERATOR.includes('key' in words ? words.key : 'error_code' in words ? words.error_code : '');
}
