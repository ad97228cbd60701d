import { randomUUID } from 'node:crypto';
import type { Database } from '#api/database/database.ts';
import type { SignedIn, TestApp } from '../app/app.ts';
import { befriend } from '../factories.ts';

/** The caller's relation to Ada, whose data the call asks for; the participant is Ben, her friend and chat partner. */
export const ROLES = [
  'anonymous',
  'stranger',
  'blocked',
  'blocker',
  'ex_friend',
  'friend',
  'participant',
  'owner',
] as const;
export type Role = (typeof ROLES)[number];
export type Someone = Exclude<Role, 'anonymous'>;

/** Ada and the people related to her, each with texts of their own that a test can find in a reply. */
export interface PeopleWorld {
  people: Record<Someone | 'asker' | 'asked', SignedIn>;
  /** Chats with Ada, each with one message of each participant. */
  chats: Record<'participant' | 'friend' | 'ex_friend' | 'blocked' | 'blocker', { id: string; message_ids: string[] }>;
  /** The friendship of Ada and Ben. */
  friendship_id: string;
  /** Pending requests, from Ada and to her. */
  sent_id: string;
  got_id: string;
  /** Ada's browser. */
  subscription_id: string;
  /** Every text of a person that a reply could reveal, by "<who> <what>". */
  canaries: Record<string, string>;
}

export async function buildPeopleWorld(api: TestApp): Promise<PeopleWorld> {
  const { database } = api;
  const names = ['stranger', 'blocked', 'blocker', 'ex_friend', 'friend', 'participant', 'owner', 'asker', 'asked'];
  const signed_in = await Promise.all(names.map(async (name) => [name, await signIn(api, name)] as const));
  const people = Object.fromEntries(signed_in) as PeopleWorld['people'];
  const { owner } = people;
  const canaries: Record<string, string> = {};
  for (const [name, { user }] of signed_in) {
    const { id, public_id, email } = user;
    Object.assign(canaries, {
      [`${name} id`]: id,
      [`${name} public_id`]: public_id,
      [`${name} email`]: email,
      [`${name} account`]: user.name,
      [`${name} name`]: nameOf(name),
    });
  }
  const friendship_id = await befriend(database, owner, people.participant);
  await befriend(database, owner, people.friend);
  const chats: Partial<PeopleWorld['chats']> = {};
  for (const name of ['participant', 'friend', 'ex_friend', 'blocked', 'blocker'] as const) {
    const text = `Text of ${name} ${randomUUID()}`;
    canaries[`${name} text`] = text;
    chats[name] = await addChat(database, owner, people[name], text);
  }
  await addBlock(database, owner, people.blocked);
  await addBlock(database, people.blocker, owner);
  return {
    people,
    chats: chats as PeopleWorld['chats'],
    friendship_id,
    sent_id: await addRequest(database, owner, people.asked),
    got_id: await addRequest(database, people.asker, owner),
    subscription_id: await addSubscription(database, owner),
    canaries,
  };
}

const nameOf = (name: string) => `Shown ${name}`;

async function signIn(api: TestApp, name: string): Promise<SignedIn> {
  const signed_in = await api.signIn(name);
  const mark = randomUUID().slice(0, 12);
  const names = { email: `mail-${mark}@canary.test`, name: `account-${mark}`, public_id: `pid-${mark}` };
  const { id } = signed_in.user;
  await api.database
    .updateTable('users')
    .set({ ...names, display_name: nameOf(name) })
    .where('id', '=', id)
    .execute();
  return { ...signed_in, user: { ...signed_in.user, ...names } };
}

async function addChat(database: Database, one: SignedIn, other: SignedIn, text: string) {
  const [user_low = '', user_high = ''] = [one.user.id, other.user.id].sort();
  const unread = { last_seq: 2, latest_at: new Date(), low_unread: 1, high_unread: 1 };
  const id = randomUUID();
  await database
    .insertInto('chats')
    .values({ id, user_low, user_high, created_by: one.user.id, ...unread })
    .execute();
  const rows = [one, other].map(({ user }, nth) => ({
    id: randomUUID(),
    chat_id: id,
    seq: nth + 1,
    sender_id: user.id,
    text,
    created_at: new Date(),
  }));
  await database.insertInto('messages').values(rows).execute();
  return { id, message_ids: rows.map((row) => row.id) };
}

async function addBlock(database: Database, blocker: SignedIn, blocked: SignedIn): Promise<void> {
  const row = { blocker_id: blocker.user.id, blocked_id: blocked.user.id };
  await database.insertInto('blocks').values(row).execute();
}

async function addRequest(database: Database, sender: SignedIn, receiver: SignedIn): Promise<string> {
  const row = { id: randomUUID(), sender_id: sender.user.id, receiver_id: receiver.user.id };
  await database.insertInto('friend_requests').values(row).execute();
  return row.id;
}

async function addSubscription(database: Database, { user, session_id }: SignedIn): Promise<string> {
  const keys = { p256dh: 'AAAA', auth: 'AAAA' };
  const row = { id: randomUUID(), user_id: user.id, session_id, endpoint: `http://localhost:9/${user.id}`, ...keys };
  await database.insertInto('push_subscriptions').values(row).execute();
  return row.id;
}
