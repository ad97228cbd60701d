import type { ErrorCode } from '@sendlap/contract/errors.ts';
import { useTranslation } from 'react-i18next';
import { describeProblem, type Fallback } from './describe-problem.ts';

/** Words for what went wrong with a sign-in, in the language of the page. */
export function useSignInMessage(): (problem: unknown, fallback: Fallback) => string {
  const { t, i18n } = useTranslation('auth');
  const isErrorCode = (code: string) => /^\w+$/.test(code) && i18n.exists(code, { ns: 'errors' });
  return (problem, fallback) => {
    const words = describeProblem(problem, fallback, isErrorCode);
    if ('said' in words) return words.said;
    if ('error_code' in words) return i18n.t(words.error_code as ErrorCode, { ns: 'errors' });
    return words.key === 'tooMany' ? t('tooMany', { count: words.count }) : t(words.key);
  };
}
