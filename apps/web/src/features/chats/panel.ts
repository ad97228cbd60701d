import type { ChatPanelState } from '@sendlap/domain/chat-panel.ts';
import { useEffect, useSyncExternalStore } from 'react';
import { session } from '#web/shared/api/client.ts';
import { draftDisk } from './draft-disk.ts';
import { createPanelStore, type Writing } from './panel-store.ts';

/** The chat panel of this page. */
export const panel = createPanelStore(draftDisk);

let user_id = session.getState().user?.id;
session.subscribe(() => {
  const next = session.getState().user?.id;
  if (next !== user_id) panel.dispatch({ type: 'signed_out' });
  user_id = next;
});

/** Where the panel stands, kept up to date. */
export function usePanel(): ChatPanelState {
  return useSyncExternalStore(panel.subscribe, panel.getState);
}

/** What is being written in a chat, kept up to date; begins with the draft on the disk. */
export function useWriting(chat_id: string): Writing {
  useEffect(() => void panel.restoreDraft(chat_id), [chat_id]);
  return useSyncExternalStore(panel.subscribe, () => panel.writingIn(chat_id));
}
