import { unreadLabel } from '@sendlap/domain/messages.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { CountBubble } from '#web/shared/ui/controls/CountBubble.tsx';
import { iconButtonClasses } from '#web/shared/ui/controls/IconButton.tsx';
import { NavigationIcon, navigationItemClasses } from '#web/shared/ui/controls/NavigationItem.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { unreadTotal } from './data/chat-list.ts';
import { useChats } from './data/use-chats.ts';
import { preloadPanel } from './load-panel.ts';
import { useParticipantName } from './panel-parts/use-participant-name.ts';
import { panel, usePanel } from './panel-state/panel.ts';

/**
 * The chat button, in the title bar of a phone or in the side rail, with the number of all unread messages on its badge.
 * It opens the panel, minimizes an open one and restores a minimized one, whose chat it names.
 */
export function ChatLauncher({ in_title_bar }: { in_title_bar: boolean }) {
  const { t } = useTranslation('chats');
  const { view, minimized, chat_id } = usePanel();
  const nameOf = useParticipantName();
  const { chats = [] } = useChats();
  const is_closed = view === 'closed';
  const is_open = !is_closed && !minimized;
  const chat = chats.find(({ id }) => id === chat_id);
  const total = unreadTotal(chats);
  const label = unreadLabel(total);
  return (
    <button
      type="button"
      data-chat-launcher
      data-tour="chat"
      aria-haspopup="dialog"
      aria-expanded={is_open}
      onPointerEnter={preloadPanel}
      onFocus={preloadPanel}
      onClick={() => panel.dispatch({ type: is_closed ? 'open' : minimized ? 'restore' : 'minimize' })}
      className={in_title_bar ? iconButtonClasses(is_closed ? 'plain' : 'tinted') : navigationItemClasses(!is_closed)}
    >
      {in_title_bar ? <Icon name="chat" /> : <NavigationIcon name="chat" is_current={!is_closed} />}
      {is_closed && <span className="sr-only">{label ? t('openUnread', { count: total, label }) : t('open')}</span>}
      <bdi aria-hidden={is_closed} className={in_title_bar ? 'sr-only' : 'max-w-full min-w-0 truncate'}>
        {chat ? nameOf({ ...chat.other_participant, name: chat.name }) : t('title')}
      </bdi>
      <CountBubble count={total} className={in_title_bar ? 'absolute top-0 right-0' : 'ml-auto'} />
      {!is_closed && <UnreadText total={total} here={chat?.unreadCount ?? total} />}
    </button>
  );
}

/** Screen reader text: unread messages in the panel's chat and, separately, in all other chats. */
function UnreadText({ total, here }: { total: number; here: number }) {
  const { t } = useTranslation('chats');
  const label = unreadLabel(here);
  const elsewhere = total - here;
  const label_elsewhere = unreadLabel(elsewhere);
  return (
    <>
      {label && <span className="sr-only">{t('unread', { count: here, label })}</span>}
      {label_elsewhere && (
        <span className="sr-only">{t('unreadElsewhere', { count: elsewhere, label: label_elsewhere })}</span>
      )}
    </>
  );
}
