import { ApiError } from '#web/shared/api/errors.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';

/** Returns the error of a search: the server's message, or for a 404 without one, that no user was found. */
export function useSearchErrorText(): (error: unknown) => string {
  const { t } = useTranslation('errors');
  const errorText = useErrorText();
  return (error) =>
    error instanceof ApiError && error.status === 404 && error.server_message === null
      ? t('user_not_found')
      : errorText(error);
}
