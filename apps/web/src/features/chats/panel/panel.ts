import type { ChatPanelState } from '@sendlap/domain/chat-panel.ts';
import { useEffect, useSyncExternalStore } from 'react';
import { session } from '#web/shared/api/client.ts';
import { forgetMetadata, loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';
import type { DraftDisk } from './draft-saver.ts';
import { createPanelStore, type Writing } from './panel-store.ts';

const keyOf = (chat_id: string) => `draft ${chat_id}`;

/** The drafts of the signed-in athlete, on this device only; signing out deletes them. */
const draftDisk: DraftDisk = {
  async load(chat_id) {
    const text = await loadMetadata(keyOf(chat_id));
    return typeof text === 'string' ? text : '';
  },
  async save(chat_id, text) {
    const user_id = session.getState().user?.id;
    if (user_id === undefined) return true;
    if (text.trim() !== '') return saveMetadata(keyOf(chat_id), text, user_id);
    return forgetMetadata(keyOf(chat_id), user_id, () => true);
  },
};

/** The id of the composer's field; at most one is mounted. */
export const WRITING_FIELD = 'chat-writing-field';

/** The chat panel of this page. */
export const panel = createPanelStore(draftDisk);

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
export function useWriting(chat_id: string): Writing {
  useEffect(() => void panel.restoreDraft(chat_id), [chat_id]);
  return useSyncExternalStore(panel.subscribe, () => panel.writingIn(chat_id));
}
