import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { OutboxError } from './store/errors.ts';

/** Words for why a step could not be saved on this device; for any other error as `useErrorText`. */
export function useOutboxErrorText(): (error: unknown) => string {
  const { t } = useTranslation('outbox');
  const errorText = useErrorText();
  return (error) => (error instanceof OutboxError ? t(error.code) : errorText(error));
}
