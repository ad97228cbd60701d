import type { Database } from '#api/database/database.ts';
import { isWanted, type News } from './news.ts';
import type { Push } from './push-client.ts';
import {
  findBlockedPairs,
  findFriendPairs,
  findPendingRequests,
  findReadMessages,
  listSubscriptions,
} from './store.ts';

/** Drops news silenced by a block, and news that was seen, answered, withdrawn or ended since. */
export async function dropOutdatedNews(database: Database, all: News[]): Promise<News[]> {
  const message_ids = all.flatMap(({ message_id }) => message_id ?? []);
  const request_ids = all.flatMap(({ request_id }) => request_id ?? []);
  const [blocked, friends, seen, pending] = await Promise.all([
    findBlockedPairs(database, pairsOf(all)),
    findFriendPairs(database, pairsOf(all.filter(requiresFriendship))),
    findReadMessages(database, message_ids),
    findPendingRequests(database, request_ids),
  ]);
  return all.filter((news) => {
    const { user_id, other_id, message_id, request_id } = news;
    const pair = `${user_id} ${other_id}`;
    if (blocked.has(pair) || (requiresFriendship(news) && !friends.has(pair))) return false;
    if (message_id !== null && seen.has(message_id)) return false;
    return request_id === null || pending.has(request_id);
  });
}

/** News only as long as the two are friends. */
const requiresFriendship = ({ content }: News) => content.kind === 'friend_accepted';

function pairsOf(all: News[]): { one: string; other: string }[] {
  return all.flatMap(({ user_id: one, other_id: other }) => (other === null ? [] : [{ one, other }]));
}

/**
 * Whether a push that had to wait should still be sent: its browser is subscribed, wants it now, and it is still news.
 */
export async function isStillRelevant(
  database: Database,
  { subscription, news, expires_at_ms }: Push,
  now: Date,
): Promise<boolean> {
  if (now.getTime() >= expires_at_ms) return false;
  const subscriptions = await listSubscriptions(database, [news.user_id], now);
  const own = subscriptions.find(({ id }) => id === subscription.id);
  if (!own || !isWanted(own, news.kind, now.getTime())) return false;
  return (await dropOutdatedNews(database, [news])).length > 0;
}
