import { isErrorCode } from '@sendlap/contract/wire/errors.ts';
import { useRef, useState } from 'react';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatClock } from '#web/shared/time/format-clock.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';
import { ConfirmSheet } from '#web/shared/ui/sheet/ConfirmSheet.tsx';
import type { MessageLine, MessageStatus } from '../data/message-lines.ts';
import { COMPOSER_FIELD_ID } from '../panel/panel.ts';
import { MessageText } from './MessageText.tsx';
import type { MessageRow } from './message-rows.ts';
import { useFailedMessage } from './use-send-message.ts';

interface MessageBubbleProps {
  row: MessageRow;
  /** The name of the other user in the chat. */
  name: string;
  /** Whether I can write in this chat. */
  can_write: boolean;
  /** Watches whether an unread message is really seen. */
  observe: (element: HTMLElement | null) => (() => void) | undefined;
}

/** One message, on its sender's side. */
export function MessageBubble({ row, name, can_write, observe }: MessageBubbleProps) {
  const { t } = useTranslation('chats');
  const locale = useLocale();
  const { line, is_first, is_last } = row;
  const { mine, text, status, created_at } = line;
  return (
    <div className={classes('flex flex-col px-3', mine ? 'items-end' : 'items-start', is_first ? 'pt-2' : 'pt-0.5')}>
      <article
        ref={line.unread ? observe : undefined}
        data-message={line.id}
        className={classes(
          'max-w-[85%] min-w-0 overflow-clip rounded-lg px-3 pt-2 pb-1.5',
          mine ? 'bg-accent-tint' : 'bg-surface inset-ring-1 inset-ring-line',
          is_last && (mine ? 'rounded-br-sm' : 'rounded-bl-sm'),
          status === 'failed' && 'inset-ring-2 inset-ring-danger',
        )}
      >
        <h3 className="sr-only">{mine ? t('messages.you') : name}</h3>
        {text === '' ? <p className="text-ink-soft italic">{t('messages.deleted')}</p> : <MessageText text={text} />}
        <p className="figures mt-0.5 flex items-center justify-end gap-1 text-xs text-ink-soft">
          <time dateTime={new Date(created_at).toISOString()}>{formatClock(created_at, locale)}</time>
          <MessageStatusMark status={status} />
        </p>
      </article>
      {status === 'failed' && <FailedMessage line={line} can_write={can_write} />}
    </div>
  );
}

const ACTION = 'pressable min-h-12 rounded-md px-3 text-label font-semibold underline underline-offset-4';

/** Why a message was refused, with the actions retry, edit and discard. */
function FailedMessage({ line, can_write }: { line: MessageLine; can_write: boolean }) {
  const { t } = useTranslation(['chats', 'errors']);
  const { retry, edit, discard } = useFailedMessage();
  const [is_confirming, setConfirming] = useState(false);
  const { id, problem } = line;
  const buttons = useRef<HTMLDivElement>(null);
  // The buttons unmount and lose the focus: move it to the composer.
  const focusComposerAfter = (done: Promise<void>) =>
    void done.then(() => document.getElementById(COMPOSER_FIELD_ID)?.focus());
  const handleRetry = () => {
    buttons.current?.closest<HTMLElement>('[data-scroller]')?.focus({ preventScroll: true });
    void retry(id);
  };
  return (
    <div className="flex max-w-[85%] flex-col items-end text-right">
      <p className="mt-1 text-label text-danger-ink">
        {t('failed.send')}
        {problem && `. ${isErrorCode(problem.code) ? t(`errors:${problem.code}`) : problem.message}`}
      </p>
      <div ref={buttons} className="flex flex-wrap justify-end gap-1">
        <button type="button" onClick={handleRetry} className={`${ACTION} text-accent-ink`}>
          {t('messages.retry')}
        </button>
        {can_write && (
          <button type="button" onClick={() => focusComposerAfter(edit(id))} className={`${ACTION} text-accent-ink`}>
            {t('messages.edit')}
          </button>
        )}
        <button type="button" onClick={() => setConfirming(true)} className={`${ACTION} text-danger-ink`}>
          {t('messages.discard')}
        </button>
      </div>
      {is_confirming && (
        <ConfirmSheet
          open
          onOpenChange={setConfirming}
          title={t('messages.discardTitle')}
          description={t('messages.discardText')}
          confirm={t('messages.discard')}
          keep={t('messages.keep')}
          onConfirm={() => focusComposerAfter(discard(id))}
        />
      )}
    </div>
  );
}

const STATUS_MARKS: Record<Exclude<MessageStatus, 'received'>, { icon: IconName; class_name: string }> = {
  sending: { icon: 'clock', class_name: '' },
  waiting: { icon: 'clock', class_name: '' },
  sent: { icon: 'check', class_name: '' },
  read: { icon: 'check-double', class_name: 'text-accent-ink' },
  failed: { icon: 'warning', class_name: 'text-danger-ink' },
};

/** The status of my message, as an icon and in words. */
function MessageStatusMark({ status }: { status: MessageStatus }) {
  const { t } = useTranslation('chats');
  if (status === 'received') return null;
  const { icon, class_name } = STATUS_MARKS[status];
  return (
    <span title={t(`status.${status}`)} className={`inline-flex ${class_name}`}>
      <Icon name={icon} size={16} />
      <span className="sr-only">{t(`status.${status}`)}</span>
    </span>
  );
}
