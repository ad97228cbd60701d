import { isErrorCode } from '@sendlap/contract/errors.ts';
import { messagePreview } from '@sendlap/domain/messages.ts';
import { NAMELESS } from '@sendlap/domain/names.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import type { WaitingMessage } from '#web/shared/outbox/messages/waiting-message.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { DiscardButton } from './DiscardButton.tsx';
import { formatClock, formatDay } from './times.ts';

/** A message that waits to be sent. */
export function QueuedMessage({ message }: { message: WaitingMessage }) {
  const { t } = useTranslation('outbox');
  const { attempts, last_error } = message;
  const known = last_error === 'NETWORK_ERROR' || last_error === 'TIMEOUT' ? last_error : 'other';
  return (
    <li className="rounded-lg bg-sunken p-3">
      <MessageWords message={message} />
      {attempts > 0 && (
        <p className="text-[0.9375rem] text-ink-soft">
          {t('tries', { count: attempts, reason: t(`reason.${known}`) })}
        </p>
      )}
    </li>
  );
}

/** A message that the server refused, with the reason and what can be done. */
export function RefusedMessage({ message }: { message: WaitingMessage }) {
  const { t } = useTranslation(['outbox', 'errors']);
  const { refused, user_id, client_id } = message;
  if (!refused) return null;
  const reason = isErrorCode(refused.code) ? t(`errors:${refused.code}`) : refused.message;
  return (
    <li className="flex flex-col gap-3 rounded-lg bg-danger-tint p-4">
      <MessageWords message={message} />
      <p className="text-[0.9375rem] font-medium text-danger-ink">{reason}</p>
      <div className="flex flex-wrap gap-2 *:grow *:basis-32">
        <Button size="sm" wide onClick={() => void outbox.retryMessage(user_id, client_id)}>
          {t('tryAgain')}
        </Button>
        <DiscardButton onDiscard={() => void outbox.discardMessage(user_id, client_id)} />
      </div>
    </li>
  );
}

/** To whom, what, when. */
function MessageWords({ message: { to_name, text, created_at } }: { message: WaitingMessage }) {
  const { t } = useTranslation('outbox');
  const locale = useLocale();
  const is_named = to_name !== '' && to_name !== NAMELESS;
  return (
    <div className="flex items-center gap-3">
      <span aria-hidden="true" className="shrink-0 text-ink-soft">
        <Icon name="clock" size={26} />
      </span>
      <div className="min-w-0">
        <p className="font-semibold">{is_named ? t('messageTo', { name: to_name }) : t('message')}</p>
        <p dir="auto" className="truncate text-[0.9375rem]">
          {messagePreview(text)}
        </p>
        <p className="figures truncate text-[0.9375rem] text-ink-soft">
          {`${formatDay(created_at, locale)}, ${formatClock(created_at, locale)}`}
        </p>
      </div>
    </div>
  );
}
