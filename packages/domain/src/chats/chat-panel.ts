import { type ChatProblem, type CheckedId, checkChat, checkChatId, checkFriendId } from './chat-ids.ts';

/**
 * The chat panel (spec, section 4): closed, open with the list, or open with the messages of an active chat;
 * `minimized` is independent of the view. The friend picker is part of the list.
 */
export interface ChatPanelState {
  view: 'closed' | 'list' | 'messages';
  minimized: boolean;
  /** In the list view: the friend picker is open. */
  picking: boolean;
  /** In the picker: the friend with whom a chat is being started. */
  starting: string | null;
  /** In the messages view: the chat; null: no chat selected. */
  chat_id: string | null;
  /** Why the last requested chat cannot be shown. */
  problem: ChatProblem | null;
}

export type ChatPanelEvent =
  | { type: 'open' | 'close' | 'minimize' | 'restore' | 'back' | 'pick_friend' }
  /** A row of the list, or the result of starting a chat: any value is accepted and checked. */
  | { type: 'open_chat'; chat: unknown }
  /** By an id from elsewhere (a URL, a notification): any value is accepted and checked. */
  | { type: 'open_chat_id'; chat_id: unknown }
  | { type: 'start_chat'; friend_id: unknown }
  /** The server did not return the chat that `start_chat` requested. */
  | { type: 'start_failed' }
  /** I do not have the open chat. */
  | { type: 'chat_missing'; chat_id: string }
  /** Another user is signed in, or none. */
  | { type: 'signed_out' };

export const CLOSED_CHAT_PANEL: ChatPanelState = {
  view: 'closed',
  minimized: false,
  picking: false,
  starting: null,
  chat_id: null,
  problem: null,
};

const LIST: ChatPanelState = { ...CLOSED_CHAT_PANEL, view: 'list' };

/** Returns the chat that the user can see at the moment: not that of a minimized panel. */
export function visibleChatId({ view, minimized, chat_id }: ChatPanelState): string | null {
  return view === 'messages' && !minimized ? chat_id : null;
}

/**
 * Returns the panel after an event. Ignores an event that the current state does not allow: returns the same object.
 */
export function chatPanelReducer(state: ChatPanelState, event: ChatPanelEvent): ChatPanelState {
  switch (event.type) {
    case 'open':
      return state.view === 'closed' ? LIST : restore(state);
    case 'close':
    case 'signed_out':
      return state.view === 'closed' ? state : CLOSED_CHAT_PANEL;
    case 'minimize':
      return state.view === 'closed' || state.minimized ? state : { ...state, minimized: true };
    case 'restore':
      return restore(state);
    case 'back':
      return goBack(state);
    case 'pick_friend':
      return isInteractive(state) && state.view === 'list' && !state.picking ? { ...LIST, picking: true } : state;
    case 'open_chat':
      return openChat(state, checkChat(event.chat));
    case 'open_chat_id':
      return openChat(state, checkChatId(event.chat_id));
    case 'start_chat':
      return startChat(state, checkFriendId(event.friend_id));
    case 'start_failed':
      return state.starting === null ? state : { ...state, starting: null };
    case 'chat_missing':
      return state.view === 'messages' && state.chat_id === event.chat_id
        ? showProblem({ code: 'cannot_open' }, state)
        : state;
  }
}

/** Returns whether its buttons can be pressed. */
function isInteractive({ view, minimized }: ChatPanelState): boolean {
  return view !== 'closed' && !minimized;
}

function restore(state: ChatPanelState): ChatPanelState {
  return state.minimized ? { ...state, minimized: false } : state;
}

function goBack(state: ChatPanelState): ChatPanelState {
  const can_go_back = isInteractive(state) && (state.view === 'messages' || state.picking);
  return can_go_back ? LIST : state;
}

function openChat(state: ChatPanelState, checked: CheckedId): ChatPanelState {
  if (!checked.ok) return showProblem(checked.problem, CLOSED_CHAT_PANEL);
  const is_open = state.chat_id === checked.id && isInteractive(state);
  return is_open ? state : { ...CLOSED_CHAT_PANEL, view: 'messages', chat_id: checked.id };
}

/** The messages view without a chat, with the reason. */
function showProblem(problem: ChatProblem, { minimized }: ChatPanelState): ChatPanelState {
  return { ...CLOSED_CHAT_PANEL, view: 'messages', minimized, problem };
}

function startChat(state: ChatPanelState, checked: CheckedId): ChatPanelState {
  const picker: ChatPanelState = { ...LIST, picking: true };
  if (!checked.ok) return { ...picker, problem: checked.problem };
  // A second tap while a chat is being started is a no-op.
  return state.starting === checked.id && isInteractive(state) ? state : { ...picker, starting: checked.id };
}
