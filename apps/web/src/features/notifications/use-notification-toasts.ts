import type { PushPayload } from '@sendlap/contract/push-subscriptions.ts';
import type { Settings } from '@sendlap/contract/users.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import { serverClock } from '#web/shared/api/client.ts';
import { settingsKey } from '#web/shared/data/settings.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { openChatRequests } from '#web/shared/live/chat-requests.ts';
import { activityPath, PATHS } from '#web/shared/paths.ts';
import { usePersonName } from '#web/shared/people/use-person-name.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { type NotificationKind, shouldNotifyNow } from './should-notify-now.ts';

/** Screens on which the user's hands are full: camera, code. */
const BUSY_PATHS = [PATHS.scan, PATHS.generate, PATHS.decisions];

/** Toasts about events on other screens. */
export function useNotificationToasts(user_id: string) {
  const { t } = useTranslation('notifications');
  const queries = useQueryClient();
  const [path, navigate] = useLocation();
  const shown = useRef(new Map<string, () => void>());
  const personName = usePersonName();
  /** Dismisses the toasts of a chat once it has been read. */
  const dismissChat = (chat_id: string) => {
    shown.current.get(chat_id)?.();
    shown.current.delete(chat_id);
  };
  return {
    dismissChat,
    /** Whether notifications of this kind may be shown here at this moment. */
    canShow(kind: NotificationKind): boolean {
      if (document.visibilityState !== 'visible' || BUSY_PATHS.some((path_prefix) => path.startsWith(path_prefix)))
        return false;
      const choices = queries.getQueryData<Settings>(settingsKey(user_id))?.notifications;
      return !choices || shouldNotifyNow(choices, kind, serverClock.correctedNow());
    },
    /** Shows only the latest message of a chat. */
    showMessage({ chat_id, name, text }: { chat_id: string; name: string; text: string }): void {
      dismissChat(chat_id);
      const action = { label: t('news.open'), onPress: () => openChatRequests.send(chat_id) };
      shown.current.set(chat_id, toast({ title: personName(name), description: text, action }));
    },
    showFriendEvent({ kind, name }: { kind: 'friend_request' | 'friend_accepted'; name: string }): void {
      const title = t(kind === 'friend_request' ? 'news.asked' : 'news.accepted', { name: personName(name) });
      toast({ title, action: { label: t('news.look'), onPress: () => navigate(PATHS.friends) } });
    },
    showActivityResult({ kind, activity_id, center }: Extract<PushPayload, { activity_id: string }>): void {
      const title = t(kind === 'activity_validated' ? 'news.confirmed' : 'news.notConfirmed');
      const action = { label: t('news.look'), onPress: () => navigate(activityPath(activity_id)) };
      toast({ title, ...(center === null ? {} : { description: center }), action });
    },
  };
}
