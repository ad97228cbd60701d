import { ApiError } from '#web/shared/api/errors.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { OutboxError } from '#web/shared/outbox/store/errors.ts';
import { useOutboxErrorText } from '#web/shared/outbox/use-outbox-error-text.ts';

type Failure = 'load' | 'loadMessages' | 'send' | 'start';

/**
 * Returns the reason of a failure in the words of the server, the network or this device; if they have none, names the
 * failed action (spec, section 8).
 */
export function useFailureText(): (error: unknown, failure: Failure) => string {
  const { t } = useTranslation('chats');
  const errorText = useOutboxErrorText();
  return (error, failure) => {
    const is_said =
      error instanceof OutboxError ||
      (error instanceof ApiError &&
        (error.server_message !== null || error.backend_error !== null || !UNSAID.includes(error.code)));
    return is_said ? errorText(error) : t(`failed.${failure}`);
  };
}

const UNSAID: string[] = ['HTTP_ERROR', 'UNKNOWN_ERROR'];
