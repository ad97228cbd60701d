import { Chat } from '@sendlap/contract/chats.ts';
import * as z from 'zod/mini';
import { forgetMetadata, loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';
import { isWithErased } from './erased-person.ts';

const COPY = 'chats';

/** My chats, latest message first, and when the server said so, ms epoch. */
const ChatsCopy = z.object({ chats: z.array(Chat), cached_at: z.number() });
export type ChatsCopy = z.infer<typeof ChatsCopy>;

let kept: Promise<void> = Promise.resolve();

/**
 * Keeps my chats on this device. One list after the other: what is written again for want of room must not take the place
 * of what came later.
 */
export function keepChats(user_id: string, copy: ChatsCopy): Promise<void> {
  kept = kept.then(() => keepOrForget(user_id, copy));
  return kept;
}

async function keepOrForget(user_id: string, copy: ChatsCopy): Promise<void> {
  if (await saveMetadata(COPY, copy, user_id)) return;
  // The list of before is better than none, unless it says more than may be said by now.
  await forgetMetadata(COPY, user_id, (before) => tellsMore(before, copy.chats));
}

/** Whether a copy has a chat that is gone, or the name of somebody who was erased since. */
function tellsMore(value: unknown, chats: readonly Chat[]): boolean {
  const copy = ChatsCopy.safeParse(value);
  if (!copy.success) return true;
  const by_id = new Map(chats.map((chat) => [chat.id, chat]));
  return copy.data.chats.some((before) => {
    const chat = by_id.get(before.id);
    return !chat || (isWithErased(chat) && !isWithErased(before));
  });
}

/** What this device remembers of my chats; null: nothing. */
export async function loadChats(user_id: string): Promise<ChatsCopy | null> {
  const copy = ChatsCopy.safeParse(await loadMetadata(COPY, user_id));
  return copy.success ? copy.data : null;
}
