import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { buttonClasses } from '#web/shared/ui/controls/Button.tsx';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { isWithErasedUser } from '../data/erased-user.ts';
import { useMarkRead } from '../data/mark-read.ts';
import type { MessageLine, MessageStatus } from '../data/message-lines.ts';
import { createSeenWatcher } from '../data/seen-watcher.ts';
import { isChatNotFound } from '../data/sync-thread.ts';
import { useChats } from '../data/use-chats.ts';
import { type MessagesState, useMessages } from '../data/use-messages.ts';
import { ChatTitle, type RenderPerson } from '../panel-parts/ChatTitle.tsx';
import { LoadError, RetryBar } from '../panel-parts/LoadError.tsx';
import { PanelHeader } from '../panel-parts/PanelHeader.tsx';
import { useFailureText } from '../panel-parts/use-failure-text.ts';
import { useParticipantName } from '../panel-parts/use-participant-name.ts';
import { panel, useComposer } from '../panel-state/panel.ts';
import { Composer } from './Composer.tsx';
import { MessageList } from './MessageList.tsx';
import { buildRows, firstNewId } from './message-rows.ts';
import { useTyping } from './use-typing.ts';

interface ChatMessagesProps {
  chat_id: string;
  renderPerson: RenderPerson;
}

/** The messages of a chat and, between friends, the composer. */
export function ChatMessages({ chat_id, renderPerson }: ChatMessagesProps) {
  const { t } = useTranslation('chats');
  const failureText = useFailureText();
  const nameOf = useParticipantName();
  const { chats, error: list_error, refetch: refetchList } = useChats();
  const chat = chats?.find(({ id }) => id === chat_id);
  const messages = useMessages(chat_id);
  const { isTyping, reportTyping } = useTyping(chat_id);
  const { state, error, cached_at, refetch } = messages;
  const [list_failure, setListFailure] = useState(list_error);
  if (list_error !== null && list_error !== list_failure) setListFailure(list_error);
  const [has_loaded, setHasLoaded] = useState(messages.hasLoaded);
  // Whether the first answer of the server held unread messages.
  const [has_unread_on_load, setHasUnreadOnLoad] = useState(false);
  if (messages.hasLoaded && !has_loaded) {
    setHasLoaded(true);
    setHasUnreadOnLoad(firstNewId(messages.lines, null) !== null);
  }
  const [was_listed, setListed] = useState(false);
  if (chat && !was_listed) setListed(true);
  // A block has removed the chat while it was open.
  const was_removed = was_listed && chats !== undefined && !chat;
  const is_missing = was_removed || isChatNotFound(error);
  useEffect(() => {
    if (is_missing) panel.dispatch({ type: 'chat_missing', chat_id });
  }, [is_missing, chat_id]);
  const name = chat ? nameOf({ ...chat.other_participant, name: chat.name }) : '';
  return (
    <>
      <PanelHeader back title={<ChatTitle chat={chat} is_typing={isTyping} renderPerson={renderPerson} />} />
      {cached_at !== null && (
        <div className="shrink-0 px-4 py-2">
          <OfflineAge cached_at={cached_at} />
        </div>
      )}
      {state === 'ready' && (
        // If the server has unread messages, the list remounts (new key), so that divider and start position follow the
        // server and not a stale copy. Otherwise a user who already reads the copy keeps the scroll position.
        <MessageArea
          key={String(has_unread_on_load)}
          may_replace_copy={has_unread_on_load}
          chat_id={chat_id}
          name={name}
          can_write={chat?.can_send ?? false}
          messages={messages}
          has_loaded={has_loaded}
          listed_unread_count={chat?.unreadCount ?? 0}
        />
      )}
      {state === 'loading' && (
        <Loading className="flex min-h-0 flex-1 flex-col justify-end gap-3 p-3">
          <Skeleton className="h-12 w-1/2" />
          <Skeleton className="h-18 w-2/3" />
          <Skeleton className="h-12 w-2/5 self-end" />
          <Skeleton className="h-12 w-3/5" />
          <Skeleton className="h-12 w-1/2 self-end" />
        </Loading>
      )}
      {state === 'error' && (
        <LoadError
          title={t('failed.loadMessages')}
          text={failureText(error, 'loadMessages')}
          error={error}
          onRetry={refetch}
        />
      )}
      {!chat && list_failure !== null && state === 'ready' && (
        // Shown instead of the composer until the recipient is known; stays mounted during a retry, as it has the
        // focus.
        <RetryBar
          text={failureText(list_failure, 'load')}
          busy={list_error === null}
          className="border-t py-2"
          onRetry={refetchList}
        />
      )}
      {chat?.can_send === false && <ClosedChatNotice chat_id={chat_id} is_erased={isWithErasedUser(chat)} />}
      {chat?.can_send && <Composer chat_id={chat_id} name={name} onTyping={reportTyping} />}
    </>
  );
}

/** Replaces the composer once the two are no longer friends; unsent text can still be copied. */
function ClosedChatNotice({ chat_id, is_erased }: { chat_id: string; is_erased: boolean }) {
  const { t } = useTranslation('chats');
  const { draft } = useComposer(chat_id);
  const notice = useRef<HTMLParagraphElement>(null);
  // The focus was in the composer, which is gone.
  useEffect(() => {
    if (document.activeElement === document.body) notice.current?.focus();
  }, []);
  return (
    <div className="flex shrink-0 flex-col gap-2 border-t border-line bg-surface px-4 py-3 text-label text-ink-soft">
      <p ref={notice} role="status" tabIndex={-1} className="outline-none">
        {t('messages.closed')} {!is_erased && t('messages.friendsAgain')}
      </p>
      {!is_erased && (
        <Link
          href={PATHS.friends}
          onClick={() => panel.dispatch({ type: 'close' })}
          className={`${buttonClasses('secondary', 'sm')} self-start`}
        >
          {t('picker.toFriends')}
        </Link>
      )}
      {draft !== '' && (
        <label className="flex flex-col gap-1">
          {t('messages.unsent')}
          <textarea
            readOnly
            rows={3}
            dir="auto"
            value={draft}
            className="resize-none overflow-y-auto rounded-lg bg-sunken px-4 py-3 text-base text-ink"
          />
        </label>
      )}
    </div>
  );
}

interface MessageAreaProps {
  chat_id: string;
  name: string;
  /** Whether I can write in this chat. */
  can_write: boolean;
  messages: MessagesState;
  /** False while only a copy is shown: seeing it marks no message as read. */
  has_loaded: boolean;
  /** True if this list may replace one that showed a copy. */
  may_replace_copy: boolean;
  /** The unread count of the chat list; may exceed the number of loaded messages. */
  listed_unread_count: number;
}

function MessageArea({ chat_id, messages, has_loaded, listed_unread_count, ...list_props }: MessageAreaProps) {
  const { t } = useTranslation('chats');
  const { lines } = messages;
  const markRead = useMarkRead(chat_id);
  const [watcher] = useState(createSeenWatcher);
  useEffect(() => {
    if (has_loaded) return watcher.subscribe(markRead);
  }, [has_loaded, watcher, markRead]);
  const unread_count = countUnread(lines);
  const [first_new, setFirstNew] = useState(() => firstNewId(lines, null));
  const [new_count] = useState(() => Math.max(listed_unread_count, unread_count));
  const [had_loaded, setHadLoaded] = useState(has_loaded);
  if (has_loaded && !had_loaded) {
    setHadLoaded(true);
    // The messages were read on another device after the copy was made.
    if (firstNewId(lines, null) === null) setFirstNew(null);
  }
  const current_first_new = first_new === null ? null : firstNewId(lines, first_new);
  if (current_first_new !== null && current_first_new !== first_new) setFirstNew(current_first_new);
  return (
    <>
      {lines.length === 0 ? (
        <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
          <div className="m-auto">
            <EmptyState icon="chat" title={t('messages.emptyTitle')} text={t('messages.emptyText')} />
          </div>
        </div>
      ) : (
        <MessageList
          {...list_props}
          rows={buildRows(lines, current_first_new)}
          paging={messages}
          watcher={watcher}
          new_count={new_count}
          unread_count={unread_count}
        />
      )}
      <NewMessageAnnouncer lines={lines} name={list_props.name} />
      <MyMessageAnnouncer lines={lines} />
    </>
  );
}

function countUnread(lines: readonly MessageLine[]): number {
  return lines.filter(({ unread }) => unread).length;
}

/** Announces a message that arrives while the chat is open to screen readers. */
function NewMessageAnnouncer({ lines, name }: { lines: readonly MessageLine[]; name: string }) {
  const { t } = useTranslation('chats');
  const last = lines.findLast(({ mine }) => !mine);
  const [first_id] = useState(last?.id);
  return (
    <p role="status" className="sr-only">
      {last && last.id !== first_id && t('messages.news', { name, text: last.text })}
    </p>
  );
}

/** Announces to screen readers what becomes of my messages: the list itself announces nothing. */
function MyMessageAnnouncer({ lines }: { lines: readonly MessageLine[] }) {
  const { t } = useTranslation('chats');
  const mine = lines.filter((line) => line.mine);
  const last = mine.at(-1);
  // By id, the status in which a message is not announced; at first the one that it had when the chat was opened.
  const [unannounced, setUnannounced] = useState(() => new Map(mine.map(({ id, status }) => [id, status])));
  const changed = mine.flatMap((line) => {
    const status = unannouncedStatus(line, unannounced.get(line.id), line === last);
    return status === unannounced.get(line.id) ? [] : [[line.id, status] as const];
  });
  if (changed.length > 0) setUnannounced(new Map([...unannounced, ...changed]));
  const isAnnounced = ({ id, status }: MessageLine) => status !== unannounced.get(id);
  const refused = mine.filter((line) => line.status === 'failed' && isAnnounced(line));
  return (
    <>
      <p role="status" className="sr-only">
        {last &&
          isAnnounced(last) &&
          (last.status === 'sent' || last.status === 'waiting') &&
          t(`status.${last.status}`)}
      </p>
      {/* Not atomic: of several refused messages, each is announced once. */}
      <div role="status" aria-atomic="false" className="sr-only">
        {refused.map(({ id }) => (
          <p key={id}>{t('failed.send')}</p>
        ))}
      </div>
    </>
  );
}

/**
 * Returns the status in which a message is not announced. `before`: the one so far; undefined if the message is new in
 * the list.
 */
function unannouncedStatus(
  { status }: MessageLine,
  before: MessageStatus | undefined,
  is_last: boolean,
): MessageStatus {
  // The next status is announced, also after a retry.
  if (status === 'sending') return 'sending';
  // A new message that waits was written here without a connection, which is announced. Any other new one comes from
  // another device, or with an older page.
  if (before === undefined) return status === 'waiting' ? 'sending' : status;
  // Of the messages before the last one, only a refused one is announced.
  return is_last || status === 'failed' ? before : status;
}
