import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { OutboxError } from './store/errors.ts';

/** Returns a function that describes why an op could not be saved on this device; other errors as in `useErrorText`. */
export function useOutboxErrorText(): (error: unknown) => string {
  const { t } = useTranslation('outbox');
  const errorText = useErrorText();
  return (error) => (error instanceof OutboxError ? t(error.code) : errorText(error));
}
