import { shownChat } from '@sendlap/domain/chat-panel.ts';
import { unreadLabel } from '@sendlap/domain/messages.ts';
import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearch } from 'wouter';
import { useHoldUpdates } from '#web/shared/device/hold-updates.ts';
import { onAskToOpenChat, onAskToStartChat } from '#web/shared/live/open-chat.ts';
import { setShownChat } from '#web/shared/live/shown-chat.ts';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { toast } from '#web/shared/ui/toast.ts';
import type { RenderPerson } from './chat-person.ts';
import { MinimizedChat } from './MinimizedChat.tsx';
import { panel, usePanel } from './panel.ts';
import { UnreadBadge } from './UnreadBadge.tsx';
import { useUnreadTotal } from './use-chats.ts';
import { useUnsent } from './use-unsent.ts';

/** In the address of any screen: show this chat. */
const CHAT = 'chat';

const loadPanel = () => import('./ChatPanel.tsx').then(({ ChatPanel }) => ChatPanel);
const preloadPanel = () => void loadPanel().catch(() => {});

interface ChatDoorProps {
  /** Where the button lies: nowhere on screens that need all their room, higher above what sticks to the bottom. */
  place: 'none' | 'low' | 'high';
  renderPerson: RenderPerson;
}

/** The floating button, and the panel once somebody wants it. Stands once, in the signed-in layout. */
export function ChatDoor({ place, renderPerson }: ChatDoorProps) {
  const state = usePanel();
  useWishes();
  // Where no button says it, too: what is told while nobody listens is lost to the list, the chats and this device.
  const unread = useUnreadTotal();
  const shown = shownChat(state);
  useEffect(() => {
    setShownChat(shown);
    return () => setShownChat(null);
  }, [shown]);
  const is_open = state.view !== 'closed' && !state.minimized;
  useWayBack(is_open);
  const is_unsent = useUnsent();
  useHoldUpdates(is_open || is_unsent);
  const ChatPanel = usePanelCode(is_open);
  return (
    <>
      {!is_open && place !== 'none' && (
        <div
          className={classes(
            'fixed right-[max(16px,env(safe-area-inset-right))] z-10 flex max-w-[calc(100vw-32px)] wide:right-6 wide:bottom-6',
            place === 'high' ? ABOVE_ROW : ABOVE_NAVIGATION,
          )}
        >
          {state.minimized ? <MinimizedChat state={state} /> : <ChatButton unread={unread} />}
        </div>
      )}
      {is_open && ChatPanel && <ChatPanel renderPerson={renderPerson} />}
    </>
  );
}

const ABOVE_NAVIGATION = 'bottom-[calc(var(--nav-room)+12px)]';
/** The own row of a board sticks there. */
const ABOVE_ROW = 'bottom-[calc(var(--nav-room)+5.5rem)] wide:bottom-[6.5rem]';

function ChatButton({ unread }: { unread: number }) {
  const { t } = useTranslation('chats');
  const label = unreadLabel(unread);
  return (
    <button
      type="button"
      data-chat-door
      data-tour="chat"
      aria-haspopup="dialog"
      aria-label={label ? t('openUnread', { count: unread, label }) : t('open')}
      onPointerEnter={preloadPanel}
      onFocus={preloadPanel}
      onClick={() => panel.dispatch({ type: 'open' })}
      className="pressable anim-rise relative grid size-14 place-items-center rounded-full bg-accent text-on-accent shadow-high"
    >
      <Icon name="chat" size={28} />
      <UnreadBadge count={unread} className="absolute -top-1 -right-1 ring-2 ring-page" />
    </button>
  );
}

type Panel = ComponentType<{ renderPerson: RenderPerson }>;

/** The panel's code, fetched when it is wanted. Where it does not come, the panel closes and says so; the screen stays. */
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

/** Gives the focus to what opens the panel again, once it is gone. */
function useWayBack(is_open: boolean): void {
  const was_open = useRef(is_open);
  useEffect(() => {
    if (was_open.current && !is_open) document.querySelector<HTMLElement>('[data-chat-door]')?.focus();
    was_open.current = is_open;
  }, [is_open]);
}

/** What other screens, notifications and addresses ask of the panel. */
function useWishes(): void {
  const [path, navigate] = useLocation();
  const search = useSearch();
  useEffect(() => {
    const stops = [
      onAskToOpenChat((chat_id) => panel.dispatch({ type: 'open_chat_id', chat_id })),
      onAskToStartChat((friend_id) => panel.dispatch({ type: 'start_chat', friend_id })),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
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
