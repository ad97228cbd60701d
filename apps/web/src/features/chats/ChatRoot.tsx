import { visibleChatId } from '@sendlap/domain/chats/chat-panel.ts';
import { type ComponentType, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useHoldUpdates } from '#web/shared/device/hold-updates.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { openChatRequests, startChatRequests } from '#web/shared/live/chat-requests.ts';
import { setShownChat } from '#web/shared/live/shown-chat.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { CHAT_PARAM } from '#web/shared/paths.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { useChats } from './data/use-chats.ts';
import { loadPanel } from './load-panel.ts';
import type { RenderPerson } from './panel-parts/ChatTitle.tsx';
import { panel, usePanel } from './panel-state/panel.ts';
import { hasUnsent } from './panel-state/panel-store.ts';

/** The panel, once the user opens it, and the chat listeners of every screen. Mounted once, in the signed-in layout. */
export function ChatRoot({ renderPerson }: { renderPerson: RenderPerson }) {
  const state = usePanel();
  useChatRequests();
  // Screens without the chat button must receive live events, too: without a listener an event never reaches the list.
  useChats();
  const shown = visibleChatId(state);
  useEffect(() => {
    setShownChat(shown);
    return () => setShownChat(null);
  }, [shown]);
  const is_open = state.view !== 'closed' && !state.minimized;
  useFocusReturn(is_open);
  const has_unsent = useHasUnsent();
  useHoldUpdates(is_open || has_unsent);
  const ChatPanel = useLazyPanel(is_open);
  return is_open && ChatPanel ? <ChatPanel renderPerson={renderPerson} /> : null;
}

type Panel = ComponentType<{ renderPerson: RenderPerson }>;

/**
 * The panel's code, lazy-loaded when it opens. If the load fails, the panel closes and a toast says so; the screen
 * stays.
 */
function useLazyPanel(is_needed: boolean): Panel | null {
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
  const is_missing = is_needed && code === null;
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
  useEffect(() => openChatRequests.onRequest((chat_id) => panel.dispatch({ type: 'open_chat_id', chat_id })), []);
  useEffect(() => startChatRequests.onRequest((friend_id) => panel.dispatch({ type: 'start_chat', friend_id })), []);
  const openRequestedChat = useEffectEvent(() => {
    const params = new URLSearchParams(search);
    panel.dispatch({ type: 'open_chat_id', chat_id: params.get(CHAT_PARAM) });
    params.delete(CHAT_PARAM);
    navigate(params.size > 0 ? `${path}?${params}` : path, { replace: true });
  });
  const has_request = new URLSearchParams(search).has(CHAT_PARAM);
  useEffect(() => {
    if (has_request) openRequestedChat();
  }, [has_request]);
}

/** Whether I have any unsent text, kept up to date. */
function useHasUnsent(): boolean {
  return useSyncExternalStore(subscribeToUnsent, () => hasUnsent(panel, outbox));
}

function subscribeToUnsent(listener: () => void): () => void {
  const unsubscribers = [panel.subscribe(listener), outbox.subscribe(listener)];
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe();
  };
}
