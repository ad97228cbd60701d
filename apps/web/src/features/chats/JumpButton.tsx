import { unreadLabel } from '@sendlap/domain/messages.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { UnreadBadge } from './UnreadBadge.tsx';

/** Back to the newest message, with how many are unread. */
export function JumpButton({ unread, onJump }: { unread: number; onJump: () => void }) {
  const { t } = useTranslation('chats');
  const label = unreadLabel(unread);
  const text = label ? `${t('messages.jump')}, ${t('messages.new', { count: unread, label })}` : t('messages.jump');
  return (
    <button
      type="button"
      aria-label={text}
      title={t('messages.jump')}
      onClick={onJump}
      className="pressable absolute right-3 bottom-3 z-10 grid size-12 place-items-center rounded-full bg-raised text-ink shadow-high ring-1 ring-line"
    >
      <Icon name="chevron-down" />
      <UnreadBadge count={unread} className="absolute -top-2 -right-1" />
    </button>
  );
}
