import { shownChat } from '@sendlap/domain/chat-panel.ts';
import { type ComponentType, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useHoldUpdates } from '#web/shared/device/hold-updates.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { onAskToOpenChat, onAskToStartChat } from '#web/shared/live/open-chat.ts';
import { setShownChat } from '#web/shared/live/shown-chat.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { useChats } from './data/use-chats.ts';
import { loadPanel } from './load-panel.ts';
import type { RenderPerson } from './panel/ChatTitle.tsx';
import { panel, usePanel } from './panel/panel.ts';
import { isAnyUnsent } from './panel/unsent.ts';

/** The query parameter that opens this chat on any screen. */
const CHAT = 'chat';

/** The panel, once the user opens it, and the chat listeners of every screen. Mounted once, in the signed-in layout. */
export function Chat({ renderPerson }: { renderPerson: RenderPerson }) {
  const state = usePanel();
  useChatRequests();
  // Screens without the chat button must receive live events, too: without a listener an event never reaches the list.
  useChats();
  const shown = shownChat(state);
  useEffect(() => {
    setShownChat(shown);
    return () => setShownChat(null);
  }, [shown]);
  const is_open = state.view !== 'closed' && !state.minimized;
  useFocusReturn(is_open);
  const is_unsent = useUnsent();
  useHoldUpdates(is_open || is_unsent);
  const ChatPanel = usePanelCode(is_open);
  return is_open && ChatPanel ? <ChatPanel renderPerson={renderPerson} /> : null;
}

type Panel = ComponentType<{ renderPerson: RenderPerson }>;

/**
 * The panel's code, lazy-loaded when it opens. If the load fails, the panel closes and a toast says so; the screen
 * stays.
 */
function usePanelCode(is_wanted: boolean): Panel | null {
  const { t } = useTranslation('chats');
  const [code, setCode] = useState<{ Panel: Panel } | null>(null);
  const fetchCode = useEffectEvent(async () => {
    try {
      setCode({ Panel: await loadPanel() });
    } catch {
      panel.dispatch({ type: 'close' });
      toast({ title: t('failed.load'), tone: 'error' });
    }
  });
  const is_missing = is_wanted && code === null;
  useEffect(() => {
    if (is_missing) void fetchCode();
  }, [is_missing]);
  return code?.Panel ?? null;
}

/** Focuses the chat button once the panel is closed or minimized. */
function useFocusReturn(is_open: boolean): void {
  const was_open = useRef(is_open);
  useEffect(() => {
    if (was_open.current && !is_open) document.querySelector<HTMLElement>('[data-chat-launcher]')?.focus();
    was_open.current = is_open;
  }, [is_open]);
}

/** Opens or starts the chats that other screens, notifications and URLs ask for. */
function useChatRequests(): void {
  const [path, navigate] = useLocation();
  const search = useSearch();
  useEffect(() => onAskToOpenChat((chat_id) => panel.dispatch({ type: 'open_chat_id', chat_id })), []);
  useEffect(() => onAskToStartChat((friend_id) => panel.dispatch({ type: 'start_chat', friend_id })), []);
  const follow = useEffectEvent(() => {
    const params = new URLSearchParams(search);
    panel.dispatch({ type: 'open_chat_id', chat_id: params.get(CHAT) });
    params.delete(CHAT);
    navigate(params.size > 0 ? `${path}?${params}` : path, { replace: true });
  });
  const is_asked = new URLSearchParams(search).has(CHAT);
  useEffect(() => {
    if (is_asked) follow();
  }, [is_asked]);
}

/** Whether I have any unsent text, kept up to date. */
function useUnsent(): boolean {
  return useSyncExternalStore(follow, () => isAnyUnsent(panel, outbox));
}

function follow(listener: () => void): () => void {
  const stops = [panel.subscribe(listener), outbox.subscribe(listener)];
  return () => {
    for (const stop of stops) stop();
  };
}
