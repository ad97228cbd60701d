import type { PushPayload } from '@sendlap/contract/push-subscriptions.ts';
import { messagePreview } from '@sendlap/domain/messages.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { serverClock } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { closeNotifications } from '#web/shared/device/push-subscription.ts';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import type { LiveNews } from '#web/shared/live/live.ts';
import { askToOpenChat } from '#web/shared/live/open-chat.ts';
import { getShownChat } from '#web/shared/live/shown-chat.ts';
import { useLiveEvents } from '#web/shared/live/use-live-events.ts';
import { devicePushOf } from './client.ts';
import { createToldNews } from './told-news.ts';
import { FRIENDS_PATH, useNewsToasts } from './use-news-toasts.ts';
import { onWorkerWord, type WorkerWord } from './worker-words.ts';

/**
 * Shows toasts about messages and friends on every screen, unless the screen shows the subject already; navigates to
 * the subject of a tapped notification. Mounted once in the signed-in layout; renders nothing itself.
 */
export function InAppNews() {
  const { t } = useTranslation('notifications');
  const { id: user_id } = useUser();
  const language = useLanguage();
  const [path, navigate] = useLocation();
  const [told] = useState(createToldNews);
  const toasts = useNewsToasts(user_id);

  /** News that is not shown here is not remembered as shown: its push still has to be. */
  const hear = (news: LiveNews) => {
    if (news.type === 'message_created') {
      const { id, chat_id, sender_id, sender_name: name, message, created_at } = news.message;
      if (sender_id === user_id || !toasts.canTell('messages')) return;
      const is_new = told.fromStream({ id, subject: chat_id, at: Date.parse(created_at) });
      if (is_new && getShownChat() !== chat_id) toasts.tellMessage({ chat_id, name, text: messagePreview(message) });
    }
    if (news.type === 'messages_read' && news.reader_id === user_id) {
      toasts.forgetChat(news.chat_id);
      if (news.unread_count === 0) void closeNotifications(news.chat_id);
    }
    if (news.type === 'friend_request_changed') {
      const { id, direction, user } = news.request;
      const kind = direction === 'incoming' ? 'friend_request' : 'friend_accepted';
      if (news.status !== (direction === 'incoming' ? 'pending' : 'accepted') || !toasts.canTell('friends')) return;
      const subject = `${kind} ${user.name}`;
      const is_new = told.fromStream({ id: `${kind} ${id}`, subject, at: serverClock.correctedNow() });
      if (is_new && path !== FRIENDS_PATH) toasts.tellFriends({ kind, name: user.name });
    }
    if (news.type === 'activity_changed' && document.visibilityState === 'visible') {
      // Shown by the activity screens.
      const { client_id: subject, status } = news.activity;
      told.fromStream({ id: `${subject} ${status}`, subject, at: serverClock.correctedNow() });
    }
  };
  /** Whether the page handles this push: the stream already showed it, or the page shows it now. */
  const hearPush = (payload: PushPayload | null): boolean => {
    switch (payload?.kind) {
      case 'message':
        if (!toasts.canTell('messages')) return false;
        if (told.fromPush({ subject: payload.chat_id, at: payload.at })) {
          toasts.tellMessage({ ...payload, text: payload.text ?? t('news.message') });
        }
        return true;
      case 'friend_request':
      case 'friend_accepted':
        if (!toasts.canTell('friends')) return false;
        if (told.fromPush({ subject: `${payload.kind} ${payload.name}`, at: payload.at })) toasts.tellFriends(payload);
        return true;
      case 'activity_validated':
      case 'activity_rejected':
        if (!told.fromPush({ subject: payload.activity_id, at: payload.at })) return true;
        if (!toasts.canTell('proofs')) return false;
        toasts.tellActivity(payload);
        return true;
      default:
        return false;
    }
  };
  const hearWorker = useEffectEvent((word: WorkerWord): boolean => {
    if (word.type === 'PUSH') return hearPush(word.payload);
    if (word.type === 'PUSH_CHANGED') void devicePushOf(user_id).renew(language);
    if (word.type === 'OPEN_NEWS') {
      if (word.chat_id === null) navigate(word.path);
      else askToOpenChat(word.chat_id);
    }
    return true;
  });

  useLiveEvents(hear);
  useEffect(() => onWorkerWord((word) => hearWorker(word)), []);
  useEffect(() => void devicePushOf(user_id).renew(language), [user_id, language]);
  useEffect(() => {
    if (path === FRIENDS_PATH) void closeNotifications(FRIENDS_PATH);
  }, [path]);
  return null;
}
