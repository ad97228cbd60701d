import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { EmptyState } from '#web/shared/ui/feedback/EmptyState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { OfflineAge } from '#web/shared/ui/feedback/OfflineAge.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { useMarkRead } from '../data/mark-read.ts';
import type { MessageLine } from '../data/message-lines.ts';
import { createSeenWatcher } from '../data/seen-watcher.ts';
import { isGone } from '../data/thread-queries.ts';
import { useChats } from '../data/use-chats.ts';
import { type KnownMessages, useMessages } from '../data/use-messages.ts';
import { ChatTitle, type RenderPerson } from '../panel/ChatTitle.tsx';
import { LoadError, RetryBar } from '../panel/LoadError.tsx';
import { PanelHead } from '../panel/PanelHead.tsx';
import { panel, useWriting } from '../panel/panel.ts';
import { useFailureText } from '../panel/use-failure-text.ts';
import { usePersonName } from '../panel/use-person-name.ts';
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
  const nameOf = usePersonName();
  const { chats, error: list_error, refetch: refetchList } = useChats();
  const chat = chats?.find(({ id }) => id === chat_id);
  const known = useMessages(chat_id);
  const { isTyping, noteTyping } = useTyping(chat_id);
  const { state, error, kept_at, refetch } = known;
  const [list_failure, setListFailure] = useState(list_error);
  if (list_error !== null && list_error !== list_failure) setListFailure(list_error);
  const [is_settled, setSettled] = useState(known.isSettled);
  const [has_news, setNews] = useState(false);
  if (known.isSettled && !is_settled) {
    setSettled(true);
    setNews(firstNewId(known.lines, null) !== null);
  }
  const [was_listed, setListed] = useState(false);
  if (chat && !was_listed) setListed(true);
  // A block has removed the chat while it was open.
  const is_gone = was_listed && chats !== undefined && !chat;
  const is_missing = is_gone || isGone(error);
  useEffect(() => {
    if (is_missing) panel.dispatch({ type: 'chat_missing', chat_id });
  }, [is_missing, chat_id]);
  const name = chat ? nameOf({ ...chat.other_participant, name: chat.name }) : '';
  return (
    <>
      <PanelHead back title={<ChatTitle chat={chat} is_typing={isTyping} renderPerson={renderPerson} />} />
      {kept_at !== null && (
        <div className="shrink-0 px-4 py-2">
          <OfflineAge cached_at={kept_at} />
        </div>
      )}
      {state === 'ready' && (
        // If the server has unread messages, the list remounts (new key), so that divider and start position follow the
        // server and not a stale copy. Otherwise a user who already reads the copy keeps the scroll position.
        <MessageArea
          key={String(has_news)}
          is_anew={has_news}
          chat_id={chat_id}
          name={name}
          can_write={chat?.can_send ?? false}
          known={known}
          is_settled={is_settled}
          unread={chat?.unreadCount ?? 0}
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
        <LoadError title={t('failed.loadMessages')} text={failureText(error, 'loadMessages')} onRetry={refetch} />
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
      {chat?.can_send === false && <Closed chat_id={chat_id} />}
      {chat?.can_send && <Composer chat_id={chat_id} name={name} onTyping={noteTyping} />}
    </>
  );
}

/** Replaces the composer once the two are no longer friends; unsent text can still be copied. */
function Closed({ chat_id }: { chat_id: string }) {
  const { t } = useTranslation('chats');
  const { draft } = useWriting(chat_id);
  const note = useRef<HTMLParagraphElement>(null);
  // The focus was in the composer, which is gone.
  useEffect(() => {
    if (document.activeElement === document.body) note.current?.focus();
  }, []);
  return (
    <div className="flex shrink-0 flex-col gap-2 border-t border-line bg-surface px-4 py-3 text-[0.9375rem] text-ink-soft">
      <p ref={note} role="status" tabIndex={-1} className="outline-none">
        {t('messages.closed')}
      </p>
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
  known: KnownMessages;
  /** False while only a copy is shown: seeing it marks no message as read. */
  is_settled: boolean;
  /** True if this list replaces one that showed a copy. */
  is_anew: boolean;
  /** The unread count of the chat list; may exceed the number of loaded messages. */
  unread: number;
}

function MessageArea({ chat_id, known, is_settled, unread, ...about }: MessageAreaProps) {
  const { t } = useTranslation('chats');
  const { name } = about;
  const { lines } = known;
  const markRead = useMarkRead(chat_id);
  const [watcher] = useState(createSeenWatcher);
  useEffect(() => {
    if (is_settled) return watcher.listen(markRead);
  }, [is_settled, watcher, markRead]);
  const loaded = countUnread(lines);
  const [first_new, setFirstNew] = useState(() => firstNewId(lines, null));
  const [new_count] = useState(() => Math.max(unread, loaded));
  const [was_settled, setWasSettled] = useState(is_settled);
  if (is_settled && !was_settled) {
    setWasSettled(true);
    // The messages were read on another device after the copy was made.
    if (firstNewId(lines, null) === null) setFirstNew(null);
  }
  const first_now = first_new === null ? null : firstNewId(lines, first_new);
  if (first_now !== null && first_now !== first_new) setFirstNew(first_now);
  return (
    <>
      {lines.length === 0 ? (
        <div className="m-auto">
          <EmptyState icon="chat" title={t('messages.emptyTitle')} text={t('messages.emptyText')} />
        </div>
      ) : (
        <MessageList
          {...about}
          rows={buildRows(lines, first_now)}
          known={known}
          watcher={watcher}
          new_count={new_count}
          unread={loaded}
        />
      )}
      <News lines={lines} name={name} />
    </>
  );
}

function countUnread(lines: readonly MessageLine[]): number {
  return lines.filter(({ unread }) => unread).length;
}

/** Announces a message that arrives while the chat is open to screen readers. */
function News({ lines, name }: { lines: readonly MessageLine[]; name: string }) {
  const { t } = useTranslation('chats');
  const last = lines.findLast(({ mine }) => !mine);
  const [first_id] = useState(last?.id);
  return (
    <p role="status" className="sr-only">
      {last && last.id !== first_id && t('messages.news', { name, text: last.text })}
    </p>
  );
}
