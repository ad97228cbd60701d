import { noteTyping as noteTypingCall } from '@sendlap/contract/chats.ts';
import { useEffect, useRef, useState } from 'react';
import { call } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useLiveEvents } from '#web/shared/live/use-live-events.ts';

/** Somebody who writes says so this often at most. */
const TELL_EVERY_MS = 3_000;
/** Whoever says nothing for longer writes no more. */
const SHOWN_MS = 5_000;

export interface Typing {
  /** Whether the other one is writing. */
  isTyping: boolean;
  /** Call on every input; the server is told now and then. */
  noteTyping: () => void;
}

/** Who is writing in a chat, both ways. */
export function useTyping(chat_id: string): Typing {
  const user = useUser();
  const [typing_in, setTypingIn] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const told = useRef({ chat_id: '', at: Number.NEGATIVE_INFINITY });
  const show = (shown_in: string | null) => {
    clearTimeout(timer.current);
    setTypingIn(shown_in);
    if (shown_in !== null) timer.current = setTimeout(() => setTypingIn(null), SHOWN_MS);
  };
  useLiveEvents((news) => {
    if (news.type === 'typing' && news.chat_id === chat_id && news.user_id !== user.id) show(chat_id);
    if (news.type !== 'message_created') return;
    if (news.message.chat_id === chat_id && news.message.sender_id !== user.id) show(null);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    isTyping: typing_in === chat_id,
    noteTyping() {
      const now = performance.now();
      if (!navigator.onLine || (told.current.chat_id === chat_id && now - told.current.at < TELL_EVERY_MS)) return;
      told.current = { chat_id, at: now };
      call(noteTypingCall, { params: { chat_id } }, { only_as: user.id }).catch(() => {});
    },
  };
}
