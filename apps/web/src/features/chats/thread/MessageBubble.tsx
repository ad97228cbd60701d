import type { ReactNode } from 'react';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatClock } from '#web/shared/time/format-clock.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';
import type { MessageStatus } from '../data/message-lines.ts';
import { MessageText } from './MessageText.tsx';
import type { MessageRow } from './message-rows.ts';

interface MessageBubbleProps {
  row: MessageRow;
  /** The name of the other user in the chat. */
  name: string;
  /** Watches whether an unread message is really seen. */
  observe: (element: HTMLElement | null) => (() => void) | undefined;
  /** Below the bubble. */
  children?: ReactNode;
}

/** One message, on its sender's side. */
export function MessageBubble({ row, name, observe, children }: MessageBubbleProps) {
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
      {children}
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
