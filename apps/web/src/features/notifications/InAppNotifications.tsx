import type { PushPayload } from '@sendlap/contract/push-subscriptions.ts';
import { messagePreview } from '@sendlap/domain/messages.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { serverClock } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { closeNotifications } from '#web/shared/device/push-subscription.ts';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { openChatRequests } from '#web/shared/live/chat-requests.ts';
import type { StreamEvent } from '#web/shared/live/live.ts';
import { getShownChat } from '#web/shared/live/shown-chat.ts';
import { useLiveEvents } from '#web/shared/live/use-live-events.ts';
import { PATHS } from '#web/shared/paths.ts';
import { devicePushOf } from './client.ts';
import { createNewsDeduplicator } from './news-deduplicator.ts';
import { useNotificationToasts } from './use-notification-toasts.ts';
import { onWorkerMessage, type WorkerMessage } from './worker-messages.ts';

type StreamEventOf<Type extends StreamEvent['type']> = Extract<StreamEvent, { type: Type }>;

/**
 * Shows toasts about messages and friends on every screen, unless the screen shows the subject already; navigates to
 * the subject of a tapped notification. Mounted once in the signed-in layout; renders nothing itself.
 */
export function InAppNotifications() {
  const { t } = useTranslation('notifications');
  const { id: user_id } = useUser();
  const language = useLanguage();
  const [path, navigate] = useLocation();
  const [deduplicator] = useState(createNewsDeduplicator);
  const toasts = useNotificationToasts(user_id);

  // News that is not shown here is not remembered as shown: its push still has to be.
  const handleMessage = ({ message: created }: StreamEventOf<'message_created'>) => {
    const { id, chat_id, sender_id, sender_name: name, message, created_at } = created;
    if (sender_id === user_id || !toasts.canShow('messages')) return;
    const is_new = deduplicator.isNewFromStream({ id, subject: chat_id, at: Date.parse(created_at) });
    if (is_new && getShownChat() !== chat_id) toasts.showMessage({ chat_id, name, text: messagePreview(message) });
  };
  const handleFriendRequest = ({ request, status }: StreamEventOf<'friend_request_changed'>) => {
    const { id, direction, user } = request;
    const kind = direction === 'incoming' ? 'friend_request' : 'friend_accepted';
    if (status !== (direction === 'incoming' ? 'pending' : 'accepted') || !toasts.canShow('friends')) return;
    const subject = `${kind} ${user.name}`;
    const is_new = deduplicator.isNewFromStream({ id: `${kind} ${id}`, subject, at: serverClock.correctedNow() });
    if (is_new && path !== PATHS.friends) toasts.showFriendEvent({ kind, name: user.name });
  };
  const handleLiveEvent = (event: StreamEvent) => {
    if (event.type === 'message_created') handleMessage(event);
    if (event.type === 'messages_read' && event.reader_id === user_id) {
      toasts.dismissChat(event.chat_id);
      if (event.unread_count === 0) void closeNotifications(event.chat_id);
    }
    if (event.type === 'friend_request_changed') handleFriendRequest(event);
    if (event.type === 'activity_changed' && document.visibilityState === 'visible') {
      // Shown by the activity screens.
      const { client_id: subject, status } = event.activity;
      deduplicator.isNewFromStream({ id: `${subject} ${status}`, subject, at: serverClock.correctedNow() });
    }
  };
  /** Whether the page handles this push: the stream already showed it, or the page shows it now. */
  const handlePush = (payload: PushPayload | null): boolean => {
    switch (payload?.kind) {
      case 'message':
        if (!toasts.canShow('messages')) return false;
        if (deduplicator.isNewFromPush({ subject: payload.chat_id, at: payload.at })) {
          toasts.showMessage({ ...payload, text: payload.text ?? t('news.message') });
        }
        return true;
      case 'friend_request':
      case 'friend_accepted':
        if (!toasts.canShow('friends')) return false;
        if (deduplicator.isNewFromPush({ subject: `${payload.kind} ${payload.name}`, at: payload.at }))
          toasts.showFriendEvent(payload);
        return true;
      case 'activity_validated':
      case 'activity_rejected':
        if (!deduplicator.isNewFromPush({ subject: payload.activity_id, at: payload.at })) return true;
        if (!toasts.canShow('proofs')) return false;
        toasts.showActivityResult(payload);
        return true;
      default:
        return false;
    }
  };
  const handleWorkerMessage = useEffectEvent((message: WorkerMessage): boolean => {
    if (message.type === 'PUSH') return handlePush(message.payload);
    if (message.type === 'PUSH_CHANGED') void devicePushOf(user_id).renew(language);
    if (message.type === 'OPEN_NEWS') {
      if (message.chat_id === null) navigate(message.path);
      else openChatRequests.send(message.chat_id);
    }
    return true;
  });

  useLiveEvents(handleLiveEvent);
  useEffect(() => onWorkerMessage((message) => handleWorkerMessage(message)), []);
  useEffect(() => void devicePushOf(user_id).renew(language), [user_id, language]);
  useEffect(() => {
    if (path === PATHS.friends) void closeNotifications(PATHS.friends);
  }, [path]);
  return null;
}
