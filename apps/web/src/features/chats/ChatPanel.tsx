import { Dialog } from '@base-ui/react/dialog';
import type { ChatPanelState } from '@sendlap/domain/chat-panel.ts';
import { useRef } from 'react';
import { ChatList } from './ChatList.tsx';
import { ChatMessages } from './ChatMessages.tsx';
import type { RenderPerson } from './chat-person.ts';
import { FriendPicker } from './FriendPicker.tsx';
import { NoChat } from './NoChat.tsx';
import { panel, usePanel } from './panel.ts';
import { useBackStep } from './use-back-step.ts';
import { useVisibleArea } from './use-visible-area.ts';
import { useWide } from './use-wide.ts';

/**
 * The open panel: on a phone it takes the whole window, elsewhere it stands in the corner beside the screen, which stays
 * in use. Escape, and there the phone's Back, go one step back from the picker, make a chat small and
 * close the list.
 */
export function ChatPanel({ renderPerson }: { renderPerson: RenderPerson }) {
  const state = usePanel();
  const is_wide = useWide();
  const area = useVisibleArea();
  const popup = useRef<HTMLDivElement>(null);
  useBackStep(!is_wide, () => leave(panel.getState()));
  return (
    <Dialog.Root open modal={!is_wide} disablePointerDismissal onOpenChange={() => leave(panel.getState())}>
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

function leave({ view, picking }: ChatPanelState): void {
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
