import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PushBrowser } from '#test/push-endpoint.ts';
import { type FriendScene, openFriendScene } from '#test/scenes/friend-scene.ts';
import { openPushScene, type PushScene } from '#test/scenes/push-scene.ts';

let scene: PushScene;
let friends: FriendScene;
beforeAll(async () => {
  scene = await openPushScene();
  friends = openFriendScene(scene.api);
});
afterAll(() => scene.close());

const pushesTo = (browser: PushBrowser) => scene.endpoint.readAll(browser);
const arrival = (browser: PushBrowser) => scene.arrival(browser);

async function openPair() {
  const [ada, ben] = [await scene.api.signIn('Ada'), await scene.api.signIn('Ben')];
  const [adas, bens] = [(await scene.subscribe(ada)).browser, (await scene.subscribe(ben)).browser];
  return { ada, ben, adas, bens };
}

describe('nothing is sent', () => {
  async function expectSilence(browser: PushBrowser) {
    await scene.settle();
    expect(pushesTo(browser)).toEqual([]);
  }

  test('of a request that was taken back, or answered on another device', async () => {
    const { ada, ben, bens } = await openPair();
    const cleo = await scene.api.signIn('Cleo');
    for (let nth = 0; nth < 2; nth += 1) await friends.cancel(ada, await friends.request(ada, ben));
    const id = await friends.request(cleo, ben);
    await scene.passHold(ben);
    await friends.accept(ben, id);
    await expectSilence(bens);
  });

  test.each(['asked', 'accepted'])('of an acceptance once the friend who %s has ended the friendship', async (who) => {
    const { ada, ben, adas } = await openPair();
    const id = await friends.meet(ada, ben);
    expect((await friends.remove(who === 'asked' ? ada : ben, id)).status).toBe(200);
    await expectSilence(adas);
  });

  test('of an acceptance that a block has ended and that was not requested again', async () => {
    const { ada, ben, adas } = await openPair();
    await friends.meet(ada, ben);
    await friends.block(ben, ada);
    await friends.unblock(ben, ada);
    await expectSilence(adas);
  });
});

test('requests are pushed to their receiver, and their acceptance to their sender', async () => {
  const { ada, ben, adas, bens } = await openPair();
  const id = await friends.request(ada, ben);
  await arrival(bens);
  expect(pushesTo(bens)).toMatchObject([{ kind: 'friend_request', name: 'Ada' }]);
  expect(pushesTo(adas)).toEqual([]);
  await friends.accept(ben, id);
  await arrival(adas);
  expect(pushesTo(adas)).toMatchObject([{ kind: 'friend_accepted', name: 'Ben' }]);
  await scene.settle();
  expect(pushesTo(bens)).toHaveLength(1);
});

test('an acceptance is announced once if the two end it and are friends again', async () => {
  const { ada, ben, adas } = await openPair();
  await friends.remove(ben, await friends.meet(ada, ben));
  await friends.meet(ada, ben);
  await arrival(adas);
  await scene.settle();
  expect(pushesTo(adas)).toMatchObject([{ kind: 'friend_accepted', name: 'Ben' }]);
});
