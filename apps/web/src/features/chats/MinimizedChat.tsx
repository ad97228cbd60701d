import type { ChatPanelState } from '@sendlap/domain/chat-panel.ts';
import { unreadLabel } from '@sendlap/domain/messages.ts';
import { useTranslation } from 'react-i18next';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { unreadTotal } from './chat-list.ts';
import { panel } from './panel.ts';
import { UnreadBadge } from './UnreadBadge.tsx';
import { useChats } from './use-chats.ts';
import { usePersonName } from './use-person-name.ts';

/**
 * The panel made small: who it is about and what is unread there, on its corner what is unread in other chats, for it
 * stands in the place of the button that says that; and two buttons.
 */
export function MinimizedChat({ state }: { state: ChatPanelState }) {
  const { t } = useTranslation('chats');
  const nameOf = usePersonName();
  const { chats = [] } = useChats();
  const chat = chats.find(({ id }) => id === state.chat_id);
  const total = unreadTotal(chats);
  const unread = chat ? chat.unreadCount : total;
  const elsewhere = total - unread;
  const label = unreadLabel(unread);
  const label_elsewhere = unreadLabel(elsewhere);
  const name = chat ? nameOf({ ...chat.other_participant, name: chat.name }) : t('title');
  return (
    <div
      data-tour="chat"
      className="anim-rise relative flex min-w-0 items-center rounded-full bg-accent text-on-accent shadow-high"
    >
      <button
        type="button"
        data-chat-door
        onClick={() => panel.dispatch({ type: 'restore' })}
        className="pressable flex min-h-14 min-w-0 items-center gap-2.5 rounded-full pr-2 pl-4 font-semibold"
      >
        <Icon name="chat" size={24} className="shrink-0" />
        <bdi className="max-w-[40vw] truncate wide:max-w-60">{name}</bdi>
        <UnreadBadge count={unread} />
        <UnreadBadge count={elsewhere} className="absolute -top-1 -left-1 ring-2 ring-page" />
        {label && <span className="sr-only">{t('unread', { count: unread, label })}</span>}
        {label_elsewhere && (
          <span className="sr-only">{t('unreadElsewhere', { count: elsewhere, label: label_elsewhere })}</span>
        )}
      </button>
      <button
        type="button"
        aria-label={t('close')}
        title={t('close')}
        onClick={() => panel.dispatch({ type: 'close' })}
        className="pressable grid size-14 shrink-0 place-items-center rounded-full"
      >
        <Icon name="x" size={22} />
      </button>
    </div>
  );
}
