import type { PushPayload } from '@sendlap/contract/push-subscriptions.ts';
import type { Settings } from '@sendlap/contract/users.ts';
import { NAMELESS } from '@sendlap/domain/names.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import { serverClock } from '#web/shared/api/client.ts';
import { settingsKey } from '#web/shared/data/settings.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { askToOpenChat } from '#web/shared/live/open-chat.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { isToldNow, type NewsKind } from './is-told-now.ts';

export const FRIENDS_PATH = '/friends';
/** Screens on which the user's hands are full: camera, code. */
const BUSY_PLACES = ['/qr/'];

/** Toasts about events on other screens. */
export function useNewsToasts(user_id: string) {
  const { t } = useTranslation('notifications');
  const queries = useQueryClient();
  const [path, navigate] = useLocation();
  const shown = useRef(new Map<string, () => void>());
  const person = (given: string) => (given === NAMELESS || given === '' ? t('nameless') : given);
  /** Dismisses the toasts of a chat once it has been read. */
  const forgetChat = (chat_id: string) => {
    shown.current.get(chat_id)?.();
    shown.current.delete(chat_id);
  };
  return {
    forgetChat,
    /** Whether news of this kind may be shown here at this moment. */
    canTell(kind: NewsKind): boolean {
      if (document.visibilityState !== 'visible' || BUSY_PLACES.some((place) => path.startsWith(place))) return false;
      const choices = queries.getQueryData<Settings>(settingsKey(user_id))?.notifications;
      return !choices || isToldNow(choices, kind, serverClock.correctedNow());
    },
    /** Shows only the latest message of a chat. */
    tellMessage({ chat_id, name, text }: { chat_id: string; name: string; text: string }): void {
      forgetChat(chat_id);
      const action = { label: t('news.open'), onPress: () => askToOpenChat(chat_id) };
      shown.current.set(chat_id, toast({ title: person(name), description: text, action }));
    },
    tellFriends({ kind, name }: { kind: 'friend_request' | 'friend_accepted'; name: string }): void {
      const title = t(kind === 'friend_request' ? 'news.asked' : 'news.accepted', { name: person(name) });
      toast({ title, action: { label: t('news.look'), onPress: () => navigate(FRIENDS_PATH) } });
    },
    tellActivity({ kind, activity_id, center }: Extract<PushPayload, { activity_id: string }>): void {
      const title = t(kind === 'activity_validated' ? 'news.confirmed' : 'news.notConfirmed');
      const action = { label: t('news.look'), onPress: () => navigate(`/activities/${activity_id}`) };
      toast({ title, ...(center === null ? {} : { description: center }), action });
    },
  };
}
