import { reportTyping as reportTypingCall } from '@sendlap/contract/chats.ts';
import { useEffect, useRef, useState } from 'react';
import { call } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useLiveEvents } from '#web/shared/live/use-live-events.ts';

/** A typing user notifies the server at most this often. */
const NOTIFY_EVERY_MS = 3_000;
/** The typing indicator disappears after this time without a notification. */
const INDICATOR_TIMEOUT_MS = 5_000;

/** The typing state of a chat, in both directions; for a component that shows only that chat. */
export function useTyping(chat_id: string) {
  const user = useUser();
  const [isTyping, setTyping] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const notified_at = useRef(Number.NEGATIVE_INFINITY);
  const setIndicator = (is_shown: boolean) => {
    clearTimeout(timer.current);
    setTyping(is_shown);
    if (is_shown) timer.current = setTimeout(() => setTyping(false), INDICATOR_TIMEOUT_MS);
  };
  useLiveEvents((event) => {
    if (event.type === 'typing' && event.chat_id === chat_id && event.user_id !== user.id) setIndicator(true);
    if (event.type !== 'message_created') return;
    if (event.message.chat_id === chat_id && event.message.sender_id !== user.id) setIndicator(false);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    /** Whether the other user is typing. */
    isTyping,
    /** Call on every input; throttles the notifications to the server. */
    reportTyping() {
      const now = performance.now();
      if (!navigator.onLine || now - notified_at.current < NOTIFY_EVERY_MS) return;
      notified_at.current = now;
      call(reportTypingCall, { params: { chat_id } }, { expected_user_id: user.id }).catch(() => {});
    },
  };
}
