import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { createEventWriter } from '#api/events/events.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { openSseReader } from '#test/app/sse-reader.ts';
import { openChatScene } from '#test/scenes/chat-scene.ts';
import { openFriendScene } from '#test/scenes/friend-scene.ts';
import { lockAccount } from './deletion.ts';
import { eraseUser } from './erase-user.ts';
import { findErasureEvents, notifyErased } from './notify-erased.ts';

const GONE = { id: DELETED_USER_ID, name: 'Athlete', public_id: '' };

let api: TestApp;
let friends: ReturnType<typeof openFriendScene>;
let chats: ReturnType<typeof openChatScene>;
beforeAll(async () => {
  api = await buildTestApp({ listen: true });
  [friends, chats] = [openFriendScene(api), openChatScene(api)];
});
afterAll(() => api.close());

async function erase({ user }: SignedIn): Promise<void> {
  const at = new Date();
  await lockAccount(createEventWriter(api.database), user.id, { now: at, grace_ms: 0 });
  expect(await eraseUser(api.database, user.id, at)).toBe(true);
}

test('a stranger gets no event about an erasure', async () => {
  const [ada, zoe] = await friends.people('Ada', 'Zoe');
  if (!ada || !zoe) throw new Error('a user is missing');
  await erase(ada);
  expect(await friends.eventsOf(zoe)).toEqual([]);
});

test('friends, people with a pending request and chat partners get an event at once that the person is gone, without a name', async () => {
  const people = await friends.people('Ada', 'Bea', 'Cid', 'Dan', 'Eve');
  const [ada, bea, cid, dan, eve] = people as [SignedIn, SignedIn, SignedIn, SignedIn, SignedIn];
  const friendship_id = await friends.meet(ada, bea);
  const to_cid = await friends.request(ada, cid);
  const from_dan = await friends.request(dan, ada);
  const ended = await friends.meet(ada, eve);
  const { data: chat } = await chats.create(ada, eve.user.id);
  await friends.remove(eve, ended);
  const before = new Map<SignedIn, number>();
  for (const who of people) before.set(who, (await friends.eventsOf(who)).length);

  await erase(ada);
  const toldTo = async (who: SignedIn) => (await friends.eventsOf(who)).slice(before.get(who));
  const friend = { id: friendship_id, friend_id: GONE.id, friend_name: GONE.name, friend_public_id: '' };
  expect(await toldTo(bea)).toEqual([{ type: 'friend_changed', is_friend: false, friend }]);
  const cancelled = { type: 'friend_request_changed', status: 'cancelled' };
  expect(await toldTo(cid)).toMatchObject([
    { ...cancelled, request: { id: to_cid, direction: 'incoming', user: GONE } },
  ]);
  expect(await toldTo(dan)).toMatchObject([
    { ...cancelled, request: { id: from_dan, direction: 'outgoing', user: GONE } },
  ]);
  expect(await toldTo(eve)).toEqual([{ type: 'chat_changed', chat_id: chat.id }]);
  expect(await friends.friends(bea)).toEqual([]);
});

test('an open stream brings the event', async () => {
  const [ada, bea] = (await friends.people('Ada', 'Bea')) as [SignedIn, SignedIn];
  await friends.meet(ada, bea);
  const stream = await openSseReader({ port: Number(new URL(api.url).port), token: bea.token });
  try {
    await erase(ada);
    await vi.waitFor(() => expect(stream.heard.map(({ event }) => event.type)).toContain('friend_changed'));
  } finally {
    stream.close();
  }
});

test('a user who was erased in between gets no event, and the others still do', async () => {
  const [ada, bea, cid] = (await friends.people('Ada', 'Bea', 'Cid')) as [SignedIn, SignedIn, SignedIn];
  await friends.meet(ada, bea);
  await friends.meet(ada, cid);
  const news = await api.database.transaction().execute((trx) => findErasureEvents(trx, ada.user.id));
  expect(news.map(({ user_id }) => user_id).sort()).toEqual([bea.user.id, cid.user.id].sort());
  await erase(bea);
  const before = (await friends.eventsOf(cid)).length;
  await notifyErased(api.database, news);
  expect(await friends.eventsOf(cid)).toHaveLength(before + 1);
  const rows = await api.database.selectFrom('user_events').select('data').where('user_id', '=', bea.user.id).execute();
  expect(rows).toEqual([]);
});
