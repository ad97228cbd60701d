import { createSecrets } from '../../apps/api/src/database/secrets.ts';
import { createSessions } from '../../apps/api/src/sessions/sessions.ts';
import type { Operator } from '../../apps/api/test/app/operator.ts';
import { makePairs } from '../../apps/api/test/measured/chat-people.ts';

const FOLLOWERS = 8;
/** Each caller writes as several people, so that the limit of messages a minute refuses none. */
const SENDERS_EACH = 24;

export interface Person {
  user_id: string;
  token: string;
}

export interface People {
  /** Who sends, and the chat with a follower. */
  senders: (Person & { chat_id: string })[];
  /** Who follows the live events. */
  followers: Follower[];
}

export interface Follower extends Person {
  chat_ids: string[];
}

/** Makes followers with friends that write to them, all signed in. */
export async function makePeople({ database }: Operator, secret: string): Promise<People> {
  const sessions = createSessions({ database, secrets: createSecrets(secret) });
  const signIn = async (user_id: string) => ({
    user_id,
    token: (await sessions.create(user_id, 'Fault program')).access_token,
  });
  const people: People = { senders: [], followers: [] };
  const pairs = await makePairs(database, FOLLOWERS, SENDERS_EACH);
  for (const { chat_id, sender_id } of pairs) people.senders.push({ ...(await signIn(sender_id)), chat_id });
  const chats = Map.groupBy(pairs, ({ receiver_id }) => receiver_id);
  for (const [user_id, own] of chats)
    people.followers.push({ ...(await signIn(user_id)), chat_ids: own.map(({ chat_id }) => chat_id) });
  return people;
}
