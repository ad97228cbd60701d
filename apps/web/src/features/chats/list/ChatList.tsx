import type { Chat } from '@sendlap/contract/chats.ts';
import { unreadLabel } from '@sendlap/domain/messages.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Avatar } from '#web/shared/people/Avatar.tsx';
import { chosenName } from '#web/shared/people/use-person-name.ts';
import { useNow } from '#web/shared/time/use-now.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { CountBubble } from '#web/shared/ui/controls/CountBubble.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { useChats } from '../data/use-chats.ts';
import { formatMoment } from '../panel-parts/format-moment.ts';
import { LoadError } from '../panel-parts/LoadError.tsx';
import { PanelHeader } from '../panel-parts/PanelHeader.tsx';
import { useFailureText } from '../panel-parts/use-failure-text.ts';
import { useParticipantName } from '../panel-parts/use-participant-name.ts';
import { panel } from '../panel-state/panel.ts';
import { saveListScroll, useListScroll } from './list-scroll.ts';
import { RowSkeletons } from './RowSkeletons.tsx';

/** All my chats, latest first. Listing a chat does not mark it as read. */
export function ChatList() {
  const { t } = useTranslation('chats');
  const failureText = useFailureText();
  const { chats, error, cached_at, refetch } = useChats();
  const scroller = useListScroll();
  return (
    <>
      <PanelHeader title={t('title')} />
      <div ref={scroller} className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain">
        {cached_at !== null && (
          <div className="px-4 pt-3">
            <OfflineAge cached_at={cached_at} />
          </div>
        )}
        {chats?.length === 0 ? (
          <EmptyState icon="chat" title={t('list.emptyTitle')} text={t('list.emptyText')} />
        ) : chats ? (
          <ul className="flex flex-col gap-1 p-2">
            {chats.map((chat) => (
              <li key={chat.id}>
                <ChatRow chat={chat} />
              </li>
            ))}
          </ul>
        ) : error !== null ? (
          <LoadError title={t('list.error')} text={failureText(error, 'load')} error={error} onRetry={refetch} />
        ) : (
          <RowSkeletons />
        )}
      </div>
      <div className="shrink-0 border-t border-line bg-surface p-3">
        <Button wide size="sm" icon="plus" onClick={() => panel.dispatch({ type: 'pick_friend' })}>
          {t('start')}
        </Button>
      </div>
    </>
  );
}

function ChatRow({ chat }: { chat: Chat }) {
  const { t } = useTranslation('chats');
  const locale = useLocale();
  const now = useNow(Date.now);
  const name = useParticipantName()({ ...chat.other_participant, name: chat.name });
  const { unreadCount, latest_message_at } = chat;
  const label = unreadLabel(unreadCount);
  return (
    <button
      type="button"
      data-chat={chat.id}
      onClick={({ currentTarget }) => {
        saveListScroll(currentTarget);
        panel.dispatch({ type: 'open_chat', chat });
      }}
      className="pressable flex w-full items-center gap-3 rounded-lg px-2 py-2.5 text-left hover:bg-sunken"
    >
      <Avatar name={chosenName(chat.name)} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex items-baseline gap-2">
          <bdi className="min-w-0 flex-1 truncate font-semibold">{name}</bdi>
          {latest_message_at !== null && (
            <time dateTime={latest_message_at} className="shrink-0 text-caption text-ink-faint">
              {formatMoment(Date.parse(latest_message_at), now, locale)}
            </time>
          )}
        </span>
        <span className="flex items-center gap-2">
          <Preview chat={chat} is_bold={unreadCount > 0} />
          <CountBubble count={unreadCount} />
          {label && <span className="sr-only">{t('unread', { count: unreadCount, label })}</span>}
        </span>
      </span>
    </button>
  );
}

/** The latest message on one line; `<bdi>` keeps right-to-left text from reordering its surroundings. */
function Preview({ chat, is_bold }: { chat: Chat; is_bold: boolean }) {
  const { t } = useTranslation('chats');
  const { id } = useUser();
  const { latest_message_preview: preview, latest_message_sender_id } = chat;
  return (
    <span className={`min-w-0 flex-1 truncate text-label ${is_bold ? 'font-semibold text-ink' : 'text-ink-soft'}`}>
      {preview === null ? (
        t('list.noMessages')
      ) : (
        <>
          {latest_message_sender_id === id && `${t('list.you')} `}
          <bdi>{preview === '' ? t('messages.deleted') : preview}</bdi>
        </>
      )}
    </span>
  );
}
