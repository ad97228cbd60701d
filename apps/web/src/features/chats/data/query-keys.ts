/** The key of all cached queries about a user's chats. */
export const chatsKey = (user_id: string) => ['chats', user_id];
export const listKey = (user_id: string) => [...chatsKey(user_id), 'list'];
/** This device's copy of the list. */
export const listCopyKey = (user_id: string) => [...chatsKey(user_id), 'copies'];
/** The syncs of all chats. */
export const threadsKey = (user_id: string) => [...chatsKey(user_id), 'messages'];
export const threadKey = (user_id: string, chat_id: string) => [...threadsKey(user_id), chat_id];

/** How long a reply counts as fresh. The live stream reports changes, so this matters only while the stream is down. */
export const STALE_MS = 60_000;

/** The source of a change: the server, or the user on this device, whose change does not make cached data newer. */
export type ChangeSource = 'server' | 'device';
