import { type ChatProblem, type CheckedId, checkChat, checkChatId, checkFriendId } from './chat-ids.ts';

/**
 * The chat panel (spec, section 4): closed, open with the list, or open with the messages of an active chat; `minimized`
 * is a flag beside the view. The friend picker is a part of the list.
 */
export interface ChatPanelState {
  view: 'closed' | 'list' | 'messages';
  minimized: boolean;
  /** Of the list view: a friend is being picked. */
  picking: boolean;
  /** The friend with whom a chat is being started, in the picker. */
  starting: string | null;
  /** Of the messages view; null: no chat selected. */
  chat_id: string | null;
  /** Why the last thing that was asked for cannot be shown. */
  problem: ChatProblem | null;
}

export type ChatPanelEvent =
  | { type: 'open' | 'close' | 'minimize' | 'restore' | 'back' | 'pick_friend' }
  /** A row of the list, or what a started chat gave: anything is taken and checked. */
  | { type: 'open_chat'; chat: unknown }
  /** By an id from elsewhere (an address, a notification): anything is taken and checked. */
  | { type: 'open_chat_id'; chat_id: unknown }
  | { type: 'start_chat'; friend_id: unknown }
  /** The server did not give the chat that was asked for by `start_chat`. */
  | { type: 'start_failed' }
  /** The open chat is not there for me. */
  | { type: 'chat_missing'; chat_id: string }
  /** Somebody else is here, or nobody. */
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

/** The chat that somebody can see right now: not that of a minimized panel. */
export function shownChat({ view, minimized, chat_id }: ChatPanelState): string | null {
  return view === 'messages' && !minimized ? chat_id : null;
}

/** The panel after an event. One that makes no sense where the panel stands changes nothing: the same object comes back. */
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
      return isUsable(state) && state.view === 'list' && !state.picking ? { ...LIST, picking: true } : state;
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
        ? noChat({ code: 'cannot_open' }, state)
        : state;
  }
}

/** Whether its buttons can be pressed. */
function isUsable({ view, minimized }: ChatPanelState): boolean {
  return view !== 'closed' && !minimized;
}

function restore(state: ChatPanelState): ChatPanelState {
  return state.minimized ? { ...state, minimized: false } : state;
}

function goBack(state: ChatPanelState): ChatPanelState {
  const has_way = isUsable(state) && (state.view === 'messages' || state.picking);
  return has_way ? LIST : state;
}

function openChat(state: ChatPanelState, checked: CheckedId): ChatPanelState {
  if (!checked.ok) return noChat(checked.problem, CLOSED_CHAT_PANEL);
  const is_open = state.chat_id === checked.id && isUsable(state);
  return is_open ? state : { ...CLOSED_CHAT_PANEL, view: 'messages', chat_id: checked.id };
}

/** The messages view without a chat, which says why. */
function noChat(problem: ChatProblem, { minimized }: ChatPanelState): ChatPanelState {
  return { ...CLOSED_CHAT_PANEL, view: 'messages', minimized, problem };
}

function startChat(state: ChatPanelState, checked: CheckedId): ChatPanelState {
  const picker: ChatPanelState = { ...LIST, picking: true };
  if (!checked.ok) return { ...picker, problem: checked.problem };
  // A second tap while one is on its way asks for nothing new.
  return state.starting === checked.id && isUsable(state) ? state : { ...picker, starting: checked.id };
}
