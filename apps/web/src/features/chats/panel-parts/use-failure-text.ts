import { ApiError } from '#web/shared/api/errors.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { OutboxError } from '#web/shared/outbox/store/errors.ts';
import { useOutboxErrorText } from '#web/shared/outbox/use-outbox-error-text.ts';

type FailedAction = 'load' | 'loadMessages' | 'send' | 'start';

/**
 * Returns the reason of a failure in the words of the server, the network or this device; if they have none, names the
 * failed action (spec, section 8).
 */
export function useFailureText(): (error: unknown, failure: FailedAction) => string {
  const { t } = useTranslation('chats');
  const errorText = useOutboxErrorText();
  return (error, failure) => {
    const has_own_text =
      error instanceof OutboxError ||
      (error instanceof ApiError &&
        (error.server_message !== null || error.backend_error !== null || !GENERIC_CODES.includes(error.code)));
    return has_own_text ? errorText(error) : t(`failed.${failure}`);
  };
}

const GENERIC_CODES: string[] = ['HTTP_ERROR', 'UNKNOWN_ERROR'];
