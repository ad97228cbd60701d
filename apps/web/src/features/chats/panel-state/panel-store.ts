import {
  type ChatPanelEvent,
  type ChatPanelState,
  CLOSED_CHAT_PANEL,
  chatPanelReducer,
} from '@sendlap/domain/chats/chat-panel.ts';
import { createListeners } from '#web/shared/lib/store.ts';
import type { Outbox } from '#web/shared/outbox/outbox.ts';
import { createDraftSaver, type DraftStorage } from './draft-saver.ts';

/** The state of a chat's composer. */
export interface ComposerState {
  /** The unsent text; '' if empty. */
  readonly draft: string;
  /** A message is being saved on this device; no other is sent until it is. */
  readonly is_sending: boolean;
  /** Why the last message could not be saved; null: nothing failed. */
  readonly failure: unknown;
}

export interface PanelStore {
  getState(): ChatPanelState;
  dispatch(event: ChatPanelEvent): void;
  subscribe(listener: () => void): () => void;
  /** Returns the same object until it changes. */
  getComposer(chat_id: string): ComposerState;
  /** Whether, in any chat, a message is being sent or a draft is not on the disk yet. */
  hasUnsaved(): boolean;
  /** Loads the draft of a chat from the disk, unless the chat has one in memory. Never rejects. */
  restoreDraft(chat_id: string): Promise<void>;
  /** Shows a draft at once and saves it, so that it survives a reload. */
  setDraft(chat_id: string, text: string): void;
  /** Inserts a text before the draft of a chat. */
  prependToDraft(chat_id: string, text: string): void;
  /**
   * Clears the draft and passes it to `send`, unless a message of this chat is being sent; if that fails, the draft is
   * restored and `failure` set. Never rejects.
   */
  sendDraft(chat_id: string, send: (draft: string) => Promise<void>): Promise<void>;
}

const EMPTY_COMPOSER: ComposerState = { draft: '', is_sending: false, failure: null };

/**
 * The panel's state and the drafts, in the shape that useSyncExternalStore needs. Both are reset when the user signs
 * out.
 */
export function createPanelStore(storage: DraftStorage): PanelStore {
  let state = CLOSED_CHAT_PANEL;
  let composers = new Map<string, ComposerState>();
  const { subscribe, notify } = createListeners();
  const getComposer = (chat_id: string) => composers.get(chat_id) ?? EMPTY_COMPOSER;
  const updateComposer = (chat_id: string, changed: Partial<ComposerState>) => {
    composers.set(chat_id, { ...getComposer(chat_id), ...changed });
    notify();
  };
  const draft_saver = createDraftSaver(storage, {
    getDraft: (chat_id) => getComposer(chat_id).draft,
    // While a message is being sent, its text stays on the disk as the draft until it is saved as a message.
    isPaused: (chat_id) => getComposer(chat_id).is_sending,
    onSaved: notify,
  });
  const setDraft = (chat_id: string, draft: string) => {
    updateComposer(chat_id, { draft });
    draft_saver.save(chat_id);
  };
  const prependToDraft = (chat_id: string, text: string) => {
    const { draft } = getComposer(chat_id);
    setDraft(chat_id, draft === '' ? text : `${text}\n${draft}`);
  };
  return {
    getState: () => state,
    dispatch(event) {
      const is_sign_out = event.type === 'signed_out' && composers.size > 0;
      if (is_sign_out) {
        composers = new Map();
        draft_saver.clear();
      }
      const next = chatPanelReducer(state, event);
      if (next === state && !is_sign_out) return;
      state = next;
      notify();
    },
    subscribe,
    getComposer,
    hasUnsaved: () => draft_saver.hasUnsaved() || [...composers.values()].some(({ is_sending }) => is_sending),
    async restoreDraft(chat_id) {
      if (composers.has(chat_id)) return;
      const composers_at_start = composers;
      const draft = await storage.load(chat_id);
      if (composers === composers_at_start && !composers_at_start.has(chat_id) && draft !== '')
        updateComposer(chat_id, { draft });
    },
    setDraft,
    prependToDraft,
    async sendDraft(chat_id, send) {
      const { draft, is_sending } = getComposer(chat_id);
      if (is_sending) return;
      // A sign-out replaces the map: the next user has other drafts.
      const composers_at_start = composers;
      updateComposer(chat_id, { draft: '', is_sending: true, failure: null });
      try {
        await send(draft);
        if (composers !== composers_at_start) return;
        updateComposer(chat_id, { is_sending: false });
        draft_saver.save(chat_id);
      } catch (failure) {
        if (composers !== composers_at_start) return;
        updateComposer(chat_id, { is_sending: false, failure });
        prependToDraft(chat_id, draft);
      }
    },
  };
}

/**
 * Whether a message is being written, sent or waiting for the network. A draft on the disk and a refused message
 * survive a reload and do not count.
 */
export function hasUnsent(
  { hasUnsaved }: Pick<PanelStore, 'hasUnsaved'>,
  { getSnapshot }: Pick<Outbox, 'getSnapshot'>,
): boolean {
  return hasUnsaved() || getSnapshot().messages.some(({ refused }) => refused === null);
}
