import { session } from '#web/shared/api/client.ts';
import { forgetMetadata, loadMetadata, saveMetadata } from '#web/shared/local-db/metadata.ts';
import type { DraftDisk } from './draft-saver.ts';

const keyOf = (chat_id: string) => `draft ${chat_id}`;

/** Drafts of the athlete who is signed in, on this device only; signing out wipes them. */
export const draftDisk: DraftDisk = {
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
