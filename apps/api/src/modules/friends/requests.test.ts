import { randomUUID } from 'node:crypto';
import { Friend, FriendRequest } from '@sendlap/contract/friends.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { type FriendScene, openFriendScene } from '#test/scenes/friend-scene.ts';

const NO_UUIDS = ['5', 'offline_1', '00000000-0000-1000-8000-000000000000', `${randomUUID()}0`];
const IN_CAPITALS = (id: string) => id.toUpperCase();

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

const refusal = ({ status, code }: { status: number; code?: string }) => [status, code];
const lock = (who: SignedIn) =>
  api.database.updateTable('users').set({ is_active: false }).where('id', '=', who.user.id).execute();

describe('refusals', () => {
  test('an unknown id, a locked account and a block on either side are the same 404 for search and request [spec 8.friends.not-found]', async () => {
    const [dan, eve] = await scene.people('Dan', 'Eve');
    if (!dan || !eve) throw new Error('the sign-in failed');
    await lock(bea);
    await scene.block(ada, cleo);
    await scene.block(dan, ada);
    const unknown = { ...eve, user: { ...eve.user, public_id: 'no-such-athlete' } };
    const found = await Promise.all([unknown, bea, cleo, dan].map(({ user }) => scene.search(ada, user.public_id)));
    const asked = await Promise.all([unknown, bea, cleo, dan].map((who) => scene.ask(ada, who)));
    for (const reply of [...found, ...asked]) {
      expect(reply).toMatchObject({ status: 404, code: 'user_not_found', message: 'User not found' });
      expect(reply.text).toBe(found[0]?.text);
    }
    expect(await scene.pending(ada)).toEqual([]);
  });

  test.each([{ public_id: 'x' }, { public_id: 5 }, {}, { public_id: 'ada', more: 1 }, { name: 'Ada' }])(
    'a search for %j is refused',
    async (body) => {
      expect(refusal(await scene.call(ada, 'POST', '/v1/friends/search', body))).toEqual([400, 'validation_failed']);
    },
  );

  test.each(NO_UUIDS)('the id %s is invalid, for every call that takes one [spec 5.friend-id.uuid]', async (id) => {
    for (const reply of [
      await scene.accept(ada, id),
      await scene.decline(ada, id),
      await scene.cancel(ada, id),
      await scene.remove(ada, id),
      await scene.call(ada, 'DELETE', `/v1/friends/blocks/${id}`),
      await scene.call(ada, 'POST', '/v1/friends/blocks', { user_id: id }),
    ]) {
      expect(refusal(reply)).toEqual([400, 'validation_failed']);
    }
  });

  test('no user can befriend themselves', async () => {
    expect(refusal(await scene.ask(ada, ada))).toEqual([422, 'cannot_befriend_self']);
    expect((await scene.search(ada, ada.user.public_id)).data).toMatchObject({ relation: 'self' });
  });

  test('a request is answered by its receiver and withdrawn by its sender; for others it does not exist', async () => {
    const id = await scene.request(ada, bea);
    const unknown = await scene.accept(cleo, randomUUID());
    for (const reply of [
      await scene.accept(ada, id),
      await scene.decline(ada, id),
      await scene.cancel(bea, id),
      await scene.accept(cleo, id),
      await scene.decline(cleo, id),
      await scene.cancel(cleo, id),
    ]) {
      expect(reply).toEqual(unknown);
      expect(refusal(reply)).toEqual([404, 'friend_request_not_found']);
    }
    expect(await scene.pending(bea)).toHaveLength(1);
  });

  test('a request that was answered cannot be answered otherwise', async () => {
    const decided = [409, 'friend_request_decided'];
    const declined = await scene.request(ada, bea);
    await scene.decline(bea, declined);
    expect(refusal(await scene.accept(bea, declined))).toEqual(decided);
    expect(refusal(await scene.cancel(ada, declined))).toEqual(decided);
    const cancelled = await scene.request(ada, bea);
    await scene.cancel(ada, cancelled);
    expect(refusal(await scene.accept(bea, cancelled))).toEqual(decided);
    expect(refusal(await scene.decline(bea, cancelled))).toEqual(decided);
    const accepted = await scene.request(ada, bea);
    await scene.accept(bea, accepted);
    expect(refusal(await scene.decline(bea, accepted))).toEqual(decided);
    expect(refusal(await scene.cancel(ada, accepted))).toEqual(decided);
    expect(await scene.friends(ada)).toHaveLength(1);
    await scene.remove(ada, accepted);
    expect(refusal(await scene.accept(bea, accepted))).toEqual(decided);
    expect(await scene.friends(ada)).toEqual([]);
  });

  test('a friendship of others and one that never was are the same 404', async () => {
    const id = await scene.meet(ada, bea);
    const [foreign, unknown] = [await scene.remove(cleo, id), await scene.remove(cleo, randomUUID())];
    expect(refusal(foreign)).toEqual([404, 'friend_not_found']);
    expect(foreign).toEqual(unknown);
    const pending = await scene.request(cleo, ada);
    expect(await scene.remove(ada, pending)).toEqual(unknown);
    expect(await scene.friends(ada)).toHaveLength(1);
    expect(await scene.pending(ada)).toHaveLength(1);
    await scene.remove(ada, id);
    expect(await scene.remove(cleo, id)).toEqual(unknown);
  });

  test('the key of another request, or of a declined one, is refused', async () => {
    const [key, decided] = [randomUUID(), randomUUID()];
    await scene.ask(ada, bea, key);
    expect(refusal(await scene.ask(ada, cleo, key))).toEqual([422, 'idempotency_mismatch']);
    expect(refusal(await scene.ask(cleo, bea, key))).toEqual([422, 'idempotency_mismatch']);
    expect(refusal(await scene.ask(bea, cleo, 'no-uuid'))).toEqual([400, 'validation_failed']);
    await scene.ask(cleo, bea, decided);
    await scene.decline(bea, decided);
    expect(refusal(await scene.ask(cleo, bea, decided))).toEqual([409, 'friend_request_decided']);
    expect(await scene.pending(bea)).toMatchObject([{ id: key }]);
  });
});

describe('by public id', () => {
  test('a user is found by the exact id, with their relation to me [spec 7.friends.search, 4.friend-request.search, 3.friend.search]', async () => {
    const { id: user_id, public_id } = bea.user;
    const found = { id: user_id, name: 'Bea', public_id, relation: 'none', request_id: null, friendship_id: null };
    expect(await scene.search(ada, public_id)).toMatchObject({ status: 200, data: found });
    const id = await scene.request(ada, bea);
    expect((await scene.search(ada, public_id)).data).toEqual({ ...found, relation: 'outgoing', request_id: id });
    const back = (await scene.search(bea, ada.user.public_id)).data;
    expect(back).toMatchObject({ relation: 'incoming', request_id: id, friendship_id: null });
    await scene.accept(bea, id);
    for (const [who, other] of [
      [ada, bea],
      [bea, ada],
    ] as const) {
      const { data } = await scene.search(who, other.user.public_id);
      expect(data).toMatchObject({ relation: 'friend', request_id: null, friendship_id: id });
    }
  });

  test('a request waits for both and makes friends of them once it is accepted [spec 1.friends.by-public-id, 7.friends.request, 7.friends.pending, 7.friends.accept, 4.friend-request.pending, 4.friend-request.accepted, 3.friend.receiver]', async () => {
    const asked = await scene.ask(ada, bea);
    expect(asked).toMatchObject({ status: 201, replayed: false, data: { status: 'pending' } });
    const [sent] = await scene.pending(ada);
    const [got] = await scene.pending(bea);
    expect(FriendRequest.parse(sent)).toMatchObject({ direction: 'outgoing', user: { id: bea.user.id, name: 'Bea' } });
    expect(got).toEqual({
      ...sent,
      direction: 'incoming',
      user: { id: ada.user.id, name: 'Ada', public_id: ada.user.public_id },
    });
    expect(asked.data).toEqual({ status: 'pending', request: sent });
    const accepted = await scene.accept(bea, IN_CAPITALS(sent?.id ?? ''));
    expect(accepted).toMatchObject({ status: 200, data: { friend_id: ada.user.id } });
    expect([await scene.pending(ada), await scene.pending(bea)]).toEqual([[], []]);
    expect(await scene.friends(bea)).toEqual([accepted.data]);
  });

  test('the list holds each friend with the fields of the wire, by name [spec 7.friends.list, 3.friend.fields]', async () => {
    const ids = [await scene.meet(cleo, ada), await scene.meet(ada, bea)];
    const friends = await scene.friends(ada);
    const fieldsOf = (id: string | undefined, { user }: SignedIn, friend_name: string) => ({
      id,
      friend_id: user.id,
      friend_name,
      friend_public_id: user.public_id,
    });
    expect(friends).toEqual([fieldsOf(ids[1], bea, 'Bea'), fieldsOf(ids[0], cleo, 'Cleo')]);
    for (const friend of friends) Friend.parse(friend);
    const plain = await scene.call<Friend[]>(ada, 'GET', '/v1/friends');
    expect(plain.data).toEqual(friends);
  });

  test('a user who has not chosen a name is an athlete, and never named by their e-mail', async () => {
    const nameless = { display_name: null, name: 'canary-of-mail' };
    await api.database.updateTable('users').set(nameless).where('id', '=', bea.user.id).execute();
    await scene.request(bea, ada);
    await scene.meet(bea, cleo);
    expect(await scene.pending(ada)).toMatchObject([{ user: { name: 'Athlete' } }]);
    expect(await scene.friends(cleo)).toMatchObject([{ friend_name: 'Athlete' }]);
    expect((await scene.search(ada, bea.user.public_id)).data.name).toBe('Athlete');
    expect(JSON.stringify(await scene.eventsOf(ada))).not.toContain('canary');
  });
});

describe('a repeat answers with the current state, and changes nothing', () => {
  test('of a request, with and without a key', async () => {
    const first = await scene.ask(ada, bea, randomUUID());
    for (const again of [await scene.ask(ada, bea), await scene.ask(ada, bea, randomUUID())]) {
      expect(again).toMatchObject({ status: 201, replayed: true, data: first.data });
    }
    expect(await scene.pending(bea)).toHaveLength(1);
  });

  test('of a request that was accepted since', async () => {
    const key = randomUUID();
    const { data } = await scene.ask(ada, bea, key);
    expect(data).toMatchObject({ request: { id: key } });
    await scene.accept(bea, key);
    const again = await scene.ask(ada, bea, key);
    expect(again).toMatchObject({ status: 201, replayed: true, data: { status: 'accepted', friend: { id: key } } });
  });

  test('of accepting, declining and cancelling [spec 7.friends.decline, 4.friend-request.declined, 7.friends.cancel, 4.friend-request.cancelled]', async () => {
    const accepted = await scene.request(ada, bea);
    const [once, twice] = [await scene.accept(bea, accepted), await scene.accept(bea, accepted)];
    expect([once.replayed, twice.replayed]).toEqual([false, true]);
    expect(twice.data).toEqual(once.data);
    for (const action of ['decline', 'cancel'] as const) {
      const id = await scene.request(ada, cleo);
      const who = action === 'decline' ? cleo : ada;
      expect(await scene[action](who, id)).toMatchObject({ status: 200, replayed: false, data: {} });
      expect(await scene[action](who, id)).toMatchObject({ status: 200, replayed: true, data: {} });
      expect([await scene.pending(ada), await scene.pending(cleo)]).toEqual([[], []]);
    }
    expect(await scene.friends(cleo)).toEqual([]);
  });

  test('of removing, from either side, also where no request had made the friendship [spec 7.friends.remove, 4.friend.removed]', async () => {
    const id = await scene.meet(ada, bea);
    expect(await scene.remove(ada, id)).toMatchObject({ status: 200, replayed: false, data: {} });
    for (const who of [ada, bea]) {
      expect(await scene.friends(who)).toEqual([]);
      expect(await scene.remove(who, id)).toMatchObject({ status: 200, replayed: true, data: {} });
    }
    const [user_low = '', user_high = ''] = [ada.user.id, cleo.user.id].sort();
    const older = { id: randomUUID(), user_low, user_high };
    await api.database.insertInto('friendships').values(older).execute();
    expect(await scene.remove(cleo, older.id)).toMatchObject({ status: 200, replayed: false });
    expect(await scene.remove(ada, older.id)).toMatchObject({ status: 200, replayed: true });
    expect(refusal(await scene.remove(bea, older.id))).toEqual([404, 'friend_not_found']);
  });
});

test('crossing requests make friends at once, and leave none pending', async () => {
  const id = await scene.request(ada, bea);
  const crossed = await scene.ask(bea, ada);
  expect(crossed).toMatchObject({ status: 201, replayed: false, data: { status: 'accepted' } });
  expect(crossed.data).toMatchObject({ friend: { id, friend_id: ada.user.id } });
  expect([await scene.pending(ada), await scene.pending(bea)]).toEqual([[], []]);
  expect(await scene.friends(ada)).toMatchObject([{ id, friend_id: bea.user.id }]);
});

test('an athlete who was declined or removed can send another request', async () => {
  await scene.decline(bea, await scene.request(ada, bea));
  const id = await scene.meet(ada, bea);
  await scene.remove(bea, id);
  expect(await scene.meet(ada, bea)).not.toBe(id);
  expect(await scene.remove(bea, id)).toMatchObject({ status: 200, replayed: true });
  expect(await scene.friends(ada)).toHaveLength(1);
});

test('a repeat is known by its key when the receiver has changed their public id, unless it names another user', async () => {
  const key = randomUUID();
  const first = await scene.ask(ada, bea, key);
  const public_id = `bea-${key.slice(0, 8)}`;
  await scene.call(bea, 'PUT', '/v1/friends/public-id', { public_id });
  expect(await scene.ask(ada, bea, key)).toMatchObject({ status: 201, replayed: true, data: { request: { id: key } } });
  expect(await scene.ask(ada, cleo, key)).toMatchObject({ status: 422, code: 'idempotency_mismatch' });
  expect(first).toMatchObject({ status: 201, replayed: false });
});

test('the request of a locked account is hidden and cannot be accepted until the account is unlocked', async () => {
  const id = await scene.request(ada, bea);
  const setActive = (is_active: boolean) =>
    api.database.updateTable('users').set({ is_active }).where('id', '=', ada.user.id).execute();
  await setActive(false);
  expect(await scene.accept(bea, id)).toMatchObject({ status: 404, code: 'friend_request_not_found' });
  expect(await scene.pending(bea)).toEqual([]);
  await setActive(true);
  expect(await scene.pending(bea)).toMatchObject([{ id }]);
  expect(await scene.accept(bea, id)).toMatchObject({ status: 200 });
});
