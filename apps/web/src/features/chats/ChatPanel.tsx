import { Dialog } from '@base-ui/react/dialog';
import type { ChatProblem } from '@sendlap/domain/chats/chat-ids.ts';
import type { ChatPanelState } from '@sendlap/domain/chats/chat-panel.ts';
import { useRef, useSyncExternalStore } from 'react';
import { useIsWide } from '#web/shared/device/use-is-wide.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { ChatList } from './list/ChatList.tsx';
import { FriendPicker } from './list/FriendPicker.tsx';
import type { RenderPerson } from './panel-parts/ChatTitle.tsx';
import { PanelHeader } from './panel-parts/PanelHeader.tsx';
import { useProblemText } from './panel-parts/problem-text.ts';
import { panel, usePanel } from './panel-state/panel.ts';
import { ChatMessages } from './thread/ChatMessages.tsx';
import { useBackButton } from './use-back-button.ts';

/**
 * The open panel: full screen on a phone, otherwise in the corner beside the screen, which stays usable. Escape, and on
 * a phone also Back, leaves the picker, minimizes a chat or closes the list.
 */
export function ChatPanel({ renderPerson }: { renderPerson: RenderPerson }) {
  const state = usePanel();
  const is_wide = useIsWide();
  const area = useVisibleArea();
  const popup = useRef<HTMLDivElement>(null);
  useBackButton(!is_wide, () => goBackOrHide(panel.getState()));
  return (
    <Dialog.Root open modal={!is_wide} disablePointerDismissal onOpenChange={() => goBackOrHide(panel.getState())}>
      <Dialog.Portal>
        <Dialog.Popup
          ref={popup}
          initialFocus={popup}
          finalFocus={false}
          style={is_wide || !area ? undefined : area}
          className="anim-rise fixed inset-x-0 top-0 flex h-dvh flex-col overflow-clip bg-page pt-safe pb-safe text-ink outline-none wide:top-auto wide:right-6 wide:bottom-6 wide:left-auto wide:h-[min(640px,calc(100dvh-48px))] wide:w-[400px] wide:rounded-xl wide:p-0 wide:shadow-high wide:ring-1 wide:ring-line"
        >
          <PanelView state={state} renderPerson={renderPerson} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function goBackOrHide({ view, picking }: ChatPanelState): void {
  if (view === 'messages') panel.dispatch({ type: 'minimize' });
  else panel.dispatch({ type: picking ? 'back' : 'close' });
}

function PanelView({ state, renderPerson }: { state: ChatPanelState; renderPerson: RenderPerson }) {
  if (state.view === 'messages')
    return state.chat_id === null ? (
      <NoChat problem={state.problem} />
    ) : (
      <ChatMessages key={state.chat_id} chat_id={state.chat_id} renderPerson={renderPerson} />
    );
  return state.picking ? <FriendPicker state={state} /> : <ChatList />;
}

/** The messages view without a chat: says why no chat is open, and that nothing can be sent. */
function NoChat({ problem }: { problem: ChatProblem | null }) {
  const { t } = useTranslation('chats');
  const problemText = useProblemText();
  return (
    <>
      <PanelHeader back title={t('title')} />
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4 wrap-anywhere">
        {problem && <Problem>{problemText(problem)}</Problem>}
        <div className="m-auto flex flex-col items-center gap-3 text-ink-soft">
          <Icon name="chat" size={40} />
          <p className="text-lg font-semibold">{t('messages.none')}</p>
        </div>
      </div>
      <p className="shrink-0 border-t border-line bg-surface px-4 py-3 text-label text-ink-soft">
        {t('composer.noId')}
      </p>
    </>
  );
}

function subscribeToViewport(listener: () => void): () => void {
  const viewport = window.visualViewport;
  viewport?.addEventListener('resize', listener);
  viewport?.addEventListener('scroll', listener);
  return () => {
    viewport?.removeEventListener('resize', listener);
    viewport?.removeEventListener('scroll', listener);
  };
}

/**
 * The area that an on-screen keyboard leaves visible, px; null if the browser does not report it or the page is zoomed
 * in.
 */
function useVisibleArea(): { top: number; height: number } | null {
  const area = useSyncExternalStore(subscribeToViewport, readArea);
  if (area === '') return null;
  const [top = 0, height = 0] = area.split(' ').map(Number);
  return { top, height };
}

/** A string, so that equal areas are equal snapshots. */
function readArea(): string {
  const viewport = window.visualViewport;
  if (!viewport || viewport.scale > 1.01) return '';
  return `${Math.round(viewport.offsetTop)} ${Math.round(viewport.height)}`;
}
