import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { type FriendScene, openFriendScene } from '#test/scenes/friend-scene.ts';

let api: TestApp;
let scene: FriendScene;
let ada: SignedIn;
let bea: SignedIn;
let cleo: SignedIn;
beforeAll(async () => {
  api = await buildTestApp();
  scene = openFriendScene(api);
});
beforeEach(async () => {
  [ada, bea, cleo] = (await scene.people('Ada', 'Bea', 'Cleo')) as [SignedIn, SignedIn, SignedIn];
});
afterAll(() => api.close());

const lock = (who: SignedIn) =>
  api.database.updateTable('users').set({ is_active: false }).where('id', '=', who.user.id).execute();

/** The blocks without their times. */
const whomBlocks = async (who: SignedIn) => (await scene.blocks(who)).map(({ id, name }) => [id, name]);

describe('refusals', () => {
  test('no user can block themselves, an unknown id, the deleted user, or a locked stranger', async () => {
    await lock(cleo);
    for (const user_id of [ada.user.id, randomUUID(), DELETED_USER_ID, cleo.user.id]) {
      const reply = await scene.call(ada, 'POST', '/v1/friends/blocks', { user_id });
      expect(reply).toMatchObject({ status: 404, code: 'user_not_found' });
    }
    expect(await scene.blocks(ada)).toEqual([]);
  });
});

test('a block ends the friendship and hides each from the other', async () => {
  const id = await scene.meet(ada, bea);
  expect(await scene.block(ada, bea)).toMatchObject({
    status: 201,
    replayed: false,
    data: { id: bea.user.id, name: 'Bea' },
  });
  expect([await scene.friends(ada), await scene.friends(bea)]).toEqual([[], []]);
  for (const [who, other] of [
    [ada, bea],
    [bea, ada],
  ] as const) {
    expect(await scene.search(who, other.user.public_id)).toMatchObject({ status: 404, code: 'user_not_found' });
    expect(await scene.ask(who, other)).toMatchObject({ status: 404, code: 'user_not_found' });
    expect(await scene.remove(who, id)).toMatchObject({ status: 200, replayed: true });
  }
  expect(await whomBlocks(ada)).toEqual([[bea.user.id, 'Bea']]);
  expect(await whomBlocks(bea)).toEqual([]);
});

test('a block ends pending requests of either direction, as a refusal or a withdrawal would', async () => {
  const [sent, got] = [await scene.request(ada, bea), await scene.request(cleo, ada)];
  await scene.block(ada, bea);
  await scene.block(ada, cleo);
  for (const who of [ada, bea, cleo]) expect(await scene.pending(who)).toEqual([]);
  expect(await scene.accept(bea, sent)).toMatchObject({ status: 409, code: 'friend_request_decided' });
  expect(await scene.accept(ada, got)).toMatchObject({ status: 409, code: 'friend_request_decided' });
  expect(await scene.eventsOf(bea)).toMatchObject([{ status: 'pending' }, { status: 'cancelled' }]);
  expect(await scene.eventsOf(cleo)).toMatchObject([{ status: 'pending' }, { status: 'declined' }]);
});

test('a repeat gives the same block, and a second unblocking changes nothing', async () => {
  const first = await scene.block(ada, bea);
  const again = await scene.block(ada, bea);
  expect(again).toMatchObject({ status: 201, replayed: true, data: first.data });
  expect(await scene.unblock(ada, bea)).toMatchObject({ status: 200, replayed: false, data: {} });
  expect(await scene.unblock(ada, bea)).toMatchObject({ status: 200, replayed: true, data: {} });
  const unknown = { ...cleo, user: { ...cleo.user, id: randomUUID() } };
  expect(await scene.unblock(ada, unknown)).toMatchObject({ status: 200, replayed: true, data: {} });
  expect(await scene.blocks(ada)).toEqual([]);
});

test('each may block the other; they find each other again when both took it back, and are no friends', async () => {
  await scene.meet(ada, bea);
  await scene.block(ada, bea);
  await scene.block(bea, ada);
  await scene.unblock(ada, bea);
  expect(await scene.search(ada, bea.user.public_id)).toMatchObject({ status: 404 });
  await scene.unblock(bea, ada);
  expect((await scene.search(ada, bea.user.public_id)).data).toMatchObject({ relation: 'none', friendship_id: null });
  expect(await scene.friends(ada)).toEqual([]);
});

test('the newest block is first, without a public id, and a blocked user sees no block', async () => {
  await scene.block(ada, bea);
  await scene.block(ada, cleo);
  expect(await whomBlocks(ada)).toEqual([
    [cleo.user.id, 'Cleo'],
    [bea.user.id, 'Bea'],
  ]);
  expect((await scene.call(ada, 'GET', '/v1/friends/blocks')).text).not.toContain(bea.user.public_id);
  expect(await whomBlocks(bea)).toEqual([]);
});

test('a friend whose account is locked stays in the list, and can be blocked and removed', async () => {
  const id = await scene.meet(ada, bea);
  await scene.meet(ada, cleo);
  await lock(bea);
  await lock(cleo);
  expect((await scene.friends(ada)).map(({ friend_name }) => friend_name)).toEqual(['Bea', 'Cleo']);
  expect(await scene.search(ada, bea.user.public_id)).toMatchObject({ status: 404 });
  expect(await scene.remove(ada, id)).toMatchObject({ status: 200, replayed: false });
  expect(await scene.block(ada, cleo)).toMatchObject({ status: 201 });
  expect(await scene.friends(ada)).toEqual([]);
});

describe('a chat of the two', () => {
  async function openChat(): Promise<string> {
    const [user_low = '', user_high = ''] = [ada.user.id, bea.user.id].sort();
    const chat = { id: randomUUID(), user_low, user_high, created_by: ada.user.id };
    await api.database.insertInto('chats').values(chat).execute();
    return chat.id;
  }
  const chatsTold = async (who: SignedIn) =>
    (await scene.eventsOf(who)).flatMap((event) => (event.type === 'chat_changed' ? [event.chat_id] : []));

  test('is announced to both when it hides and when it comes back, not while the other block hides it', async () => {
    const chat_id = await openChat();
    await scene.block(ada, bea);
    for (const who of [ada, bea]) expect(await chatsTold(who)).toEqual([chat_id]);
    await scene.block(bea, ada);
    await scene.unblock(ada, bea);
    for (const who of [ada, bea]) expect(await chatsTold(who)).toEqual([chat_id]);
    await scene.unblock(bea, ada);
    for (const who of [ada, bea]) expect(await chatsTold(who)).toEqual([chat_id, chat_id]);
  });

  test('that does not exist is announced to no user', async () => {
    await scene.block(ada, bea);
    await scene.unblock(ada, bea);
    for (const who of [ada, bea]) expect(await scene.eventsOf(who)).toEqual([]);
  });
});
