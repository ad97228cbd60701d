import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import type { IconName } from '#web/shared/ui/icon-paths.ts';
import type { MessageStatus } from './message-lines.ts';

const MARKS: Record<Exclude<MessageStatus, 'received'>, { icon: IconName; look: string }> = {
  sending: { icon: 'clock', look: '' },
  waiting: { icon: 'clock', look: '' },
  sent: { icon: 'check', look: '' },
  read: { icon: 'check-double', look: 'text-accent-ink' },
  failed: { icon: 'warning', look: 'text-danger-ink' },
};

/** How far a message of mine has come, as a mark and in words. */
export function MessageStatusMark({ status }: { status: MessageStatus }) {
  const { t } = useTranslation('chats');
  if (status === 'received') return null;
  const { icon, look } = MARKS[status];
  return (
    <span title={t(`status.${status}`)} className={`inline-flex ${look}`}>
      <Icon name={icon} size={16} />
      <span className="sr-only">{t(`status.${status}`)}</span>
    </span>
  );
}
