import {
  type ChatPanelEvent,
  type ChatPanelState,
  CLOSED_CHAT_PANEL,
  chatPanelReducer,
} from '@sendlap/domain/chat-panel.ts';
import { createDraftSaver, type DraftDisk } from './draft-saver.ts';

/** The state of a chat's composer. */
export interface Writing {
  /** The unsent text; '' if empty. */
  readonly draft: string;
  /** A message is being saved on this device; no other is sent until it is. */
  readonly is_sending: boolean;
  /** Why the last message could not be saved; null: it was saved. */
  readonly failure: unknown;
}

export interface PanelStore {
  getState(): ChatPanelState;
  dispatch(event: ChatPanelEvent): void;
  subscribe(listener: () => void): () => void;
  /** Returns the same object until it changes. */
  writingIn(chat_id: string): Writing;
  /** Whether, in any chat, a message is being sent or a draft is not on the disk yet. */
  isAnyUnsaved(): boolean;
  /** Loads the draft of a chat from the disk, unless the chat has one in memory. Never rejects. */
  restoreDraft(chat_id: string): Promise<void>;
  /** Shows a draft at once and saves it, so that it survives a reload. */
  keepDraft(chat_id: string, text: string): void;
  /** Inserts a text before the draft of a chat. */
  putBack(chat_id: string, text: string): void;
  /**
   * Clears the draft and passes it to `send`, unless a message of this chat is being sent; if that fails, the draft is
   * restored and `failure` set. Never rejects.
   */
  sendDraft(chat_id: string, send: (draft: string) => Promise<void>): Promise<void>;
}

const NOTHING: Writing = { draft: '', is_sending: false, failure: null };

/**
 * The panel's state and the drafts, in the shape that useSyncExternalStore needs. Both are reset when the user signs
 * out.
 */
export function createPanelStore(disk: DraftDisk): PanelStore {
  let state = CLOSED_CHAT_PANEL;
  let writings = new Map<string, Writing>();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const writingIn = (chat_id: string) => writings.get(chat_id) ?? NOTHING;
  const change = (chat_id: string, changed: Partial<Writing>) => {
    writings.set(chat_id, { ...writingIn(chat_id), ...changed });
    tell();
  };
  const drafts = createDraftSaver(disk, {
    draftOf: (chat_id) => writingIn(chat_id).draft,
    // While a message is being sent, its text stays on the disk as the draft until it is saved as a message.
    isHeld: (chat_id) => writingIn(chat_id).is_sending,
    onSaved: tell,
  });
  const keepDraft = (chat_id: string, draft: string) => {
    change(chat_id, { draft });
    drafts.save(chat_id);
  };
  const putBack = (chat_id: string, text: string) => {
    const { draft } = writingIn(chat_id);
    keepDraft(chat_id, draft === '' ? text : `${text}\n${draft}`);
  };
  return {
    getState: () => state,
    dispatch(event) {
      const is_end = event.type === 'signed_out' && writings.size > 0;
      if (is_end) {
        writings = new Map();
        drafts.clear();
      }
      const next = chatPanelReducer(state, event);
      if (next === state && !is_end) return;
      state = next;
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    writingIn,
    isAnyUnsaved: () => drafts.isAnyUnsaved() || [...writings.values()].some(({ is_sending }) => is_sending),
    async restoreDraft(chat_id) {
      if (writings.has(chat_id)) return;
      const mine = writings;
      const draft = await disk.load(chat_id);
      if (writings === mine && !mine.has(chat_id) && draft !== '') change(chat_id, { draft });
    },
    keepDraft,
    putBack,
    async sendDraft(chat_id, send) {
      const { draft, is_sending } = writingIn(chat_id);
      if (is_sending) return;
      // A sign-out replaces the map: the next user has other drafts.
      const mine = writings;
      change(chat_id, { draft: '', is_sending: true, failure: null });
      try {
        await send(draft);
        if (writings !== mine) return;
        change(chat_id, { is_sending: false });
        drafts.save(chat_id);
      } catch (failure) {
        if (writings !== mine) return;
        change(chat_id, { is_sending: false, failure });
        putBack(chat_id, draft);
      }
    },
  };
}
