import type { ChatPanelState } from '@sendlap/domain/chats/chat-panel.ts';
import { useEffect, useSyncExternalStore } from 'react';
import { session } from '#web/shared/api/client.ts';
import { deleteMetadataIf, loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';
import type { DraftStorage } from './draft-saver.ts';
import { type ComposerState, createPanelStore } from './panel-store.ts';

const draftKey = (chat_id: string) => `draft ${chat_id}`;

/** The drafts of the signed-in athlete, on this device only; signing out deletes them. */
const draftStorage: DraftStorage = {
  async load(chat_id) {
    const text = await loadMetadata(draftKey(chat_id));
    return typeof text === 'string' ? text : '';
  },
  async save(chat_id, text) {
    const user_id = session.getState().user?.id;
    if (user_id === undefined) return true;
    if (text.trim() !== '') return saveMetadata(draftKey(chat_id), text, user_id);
    return deleteMetadataIf(draftKey(chat_id), user_id, () => true);
  },
};

/** The id of the composer's field; at most one is mounted. */
export const COMPOSER_FIELD_ID = 'chat-writing-field';

/** The chat panel of this page. */
export const panel = createPanelStore(draftStorage);

let user_id = session.getState().user?.id;
session.subscribe(() => {
  const next = session.getState().user?.id;
  if (next !== user_id) panel.dispatch({ type: 'signed_out' });
  user_id = next;
});

/** The panel's state, kept up to date. */
export function usePanel(): ChatPanelState {
  return useSyncExternalStore(panel.subscribe, panel.getState);
}

/** The composer's state of a chat, kept up to date; starts with the draft on the disk. */
export function useComposer(chat_id: string): ComposerState {
  useEffect(() => void panel.restoreDraft(chat_id), [chat_id]);
  return useSyncExternalStore(panel.subscribe, () => panel.getComposer(chat_id));
}
