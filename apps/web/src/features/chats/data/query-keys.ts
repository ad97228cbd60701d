/** What the request cache knows of a user's chats: all of it. */
export const chatsKey = (user_id: string) => ['chats', user_id];
export const listKey = (user_id: string) => [...chatsKey(user_id), 'list'];
/** The list as this device remembers it. */
export const listCopyKey = (user_id: string) => [...chatsKey(user_id), 'copies'];
/** The messages of all chats. */
export const threadsKey = (user_id: string) => [...chatsKey(user_id), 'messages'];
export const threadKey = (user_id: string, chat_id: string) => [...threadsKey(user_id), chat_id];
/** The messages of a chat as this device remembers them. */
export const threadCopyKey = (user_id: string, chat_id: string) => [...chatsKey(user_id), 'copy', chat_id];

/** The stream keeps what is known up to date; this is only for a stream that is down. */
export const STALE_MS = 60_000;

/** Where a change comes from: the server, or somebody at this device, which makes nothing known newer than it was. */
export type Source = 'server' | 'device';
