import { Chat } from '@sendlap/contract/chats.ts';
import * as z from 'zod/mini';
import { deleteMetadataIf, loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';
import { isWithErasedUser } from './erased-user.ts';

const COPY = 'chats';

/** My chats, latest message first; `cached_at`: ms epoch of the server's response. */
const ChatsCopy = z.object({ chats: z.array(Chat), cached_at: z.number() });
export type ChatsCopy = z.infer<typeof ChatsCopy>;

let last_save: Promise<void> = Promise.resolve();

/**
 * Saves my chats on this device, one list after the other: a write that is retried for lack of space must not overwrite
 * a newer list. Waits for `removal` first: a start without network relies on what the list has removed.
 */
export function saveChats(user_id: string, copy: ChatsCopy, removal?: Promise<void>): Promise<void> {
  last_save = last_save.then(() => removal).then(() => saveOrDeleteStale(user_id, copy));
  return last_save;
}

async function saveOrDeleteStale(user_id: string, copy: ChatsCopy): Promise<void> {
  if (await saveMetadata(COPY, copy, user_id)) return;
  // The previous list is better than no list, unless it holds data that must not be kept.
  await deleteMetadataIf(COPY, user_id, (before) => holdsRemovedData(before, copy.chats));
}

/** Whether a copy has a removed chat, or the name of a user who was erased since. */
function holdsRemovedData(value: unknown, chats: readonly Chat[]): boolean {
  const copy = ChatsCopy.safeParse(value);
  if (!copy.success) return true;
  const by_id = new Map(chats.map((chat) => [chat.id, chat]));
  return copy.data.chats.some((before) => {
    const chat = by_id.get(before.id);
    return !chat || (isWithErasedUser(chat) && !isWithErasedUser(before));
  });
}

/** Returns this device's copy of my chats; null if it has no copy. */
export async function loadChats(user_id: string): Promise<ChatsCopy | null> {
  const copy = ChatsCopy.safeParse(await loadMetadata(COPY, user_id));
  return copy.success ? copy.data : null;
}
