import { removePushSubscription } from '@sendlap/contract/push-subscriptions.ts';
import { endAllSessions } from '@sendlap/contract/users.ts';
import { messagePreview } from '@sendlap/domain/messages.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { SignedIn } from '#test/app/app.ts';
import { type PushBrowser, readVapid } from '#test/push-endpoint.ts';
import { openPushScene, type PushScene } from '#test/scenes/push-scene.ts';

/** 18:00 in Madrid, 02:00 in Tokyo. */
const NOW = new Date('2026-11-18T17:00:00Z');
/** The longest delay that a push service may ask for: polling for a first push never advances the timer this far. */
const RETRY_MS = 60_000;
const RETRY = { 'retry-after': String(RETRY_MS / 1000) };
let now = NOW;
let scene: PushScene;
beforeAll(async () => {
  scene = await openPushScene({ now: () => now });
});
afterAll(() => scene.close());
afterEach(() => {
  scene.endpoint.answer(201);
  now = NOW;
});

const pushesTo = (browser: PushBrowser) => scene.endpoint.readAll(browser);
const arrival = (browser: PushBrowser, count = 1) => scene.arrival(browser, count);

async function openPair() {
  const pair = await scene.chats.openChat(['Ada', 'Ben']);
  const { browser, id } = await scene.subscribe(pair.ben);
  return { ...pair, browser, id };
}

type Pair = Awaited<ReturnType<typeof openPair>>;

describe('nothing is sent', () => {
  async function expectSilence(browser: PushBrowser) {
    await scene.settle();
    expect(pushesTo(browser)).toEqual([]);
  }

  test('to the sender', async () => {
    const { ada, chat_id, browser: bens } = await openPair();
    const { browser } = await scene.subscribe(ada);
    await scene.chats.send(ada, chat_id, 'Hello');
    await arrival(bens);
    await expectSilence(browser);
  });

  test.each([
    [
      'the browser has been told to be quiet',
      (ben: SignedIn, id: string) => scene.call(ben, 'DELETE', removePushSubscription.path.replace(':id', id)),
    ],
    ['its session has ended', (ben: SignedIn) => scene.call(ben, 'DELETE', endAllSessions.path)],
    ['messages are switched off', (ben: SignedIn) => scene.choose(ben, { messages: false })],
    [
      'it is night where the reader is',
      (ben: SignedIn) =>
        scene.choose(ben, { quiet_hours: { from: '17:30', until: '07:00', time_zone: 'Europe/Madrid' } }),
    ],
  ])('once %s', async (_what, silence) => {
    const { ada, ben, chat_id, browser, id } = await openPair();
    await silence(ben, id);
    expect((await scene.chats.send(ada, chat_id, 'Hello')).status).toBe(201);
    await expectSilence(browser);
  });

  test('of a message that was written right before a block', async () => {
    const [blocked, other] = [await openPair(), await openPair()];
    for (const { ada, chat_id } of [blocked, other]) await scene.chats.send(ada, chat_id, 'First');
    for (const { browser } of [blocked, other]) await arrival(browser);
    // The second message of each waits for its subject's turn; the other pair's push arrives when both turns have come.
    for (const { ada, chat_id } of [blocked, other]) await scene.chats.send(ada, chat_id, 'Second');
    await scene.chats.block(blocked.ben, blocked.ada);
    await arrival(other.browser, 2);
    await scene.settle();
    expect(pushesTo(blocked.browser)).toHaveLength(1);
  });

  test('of a message that was read on another device first', async () => {
    const { ada, ben, chat_id, browser } = await openPair();
    const { data } = await scene.chats.send(ada, chat_id, 'Hello');
    await scene.passHold(ben);
    await scene.chats.markRead(ben, chat_id, [data.id]);
    await expectSilence(browser);
  });

  test('of a message that was seen before its turn came', async () => {
    const [read, other] = [await openPair(), await openPair()];
    for (const { ada, ben, chat_id, browser } of [read, other]) {
      await scene.chats.send(ada, chat_id, 'First');
      await arrival(browser);
      const { data } = await scene.chats.send(ada, chat_id, 'Second');
      if (browser === read.browser) await scene.chats.markRead(ben, chat_id, [data.id]);
    }
    await arrival(other.browser, 2);
    await scene.settle();
    expect(pushesTo(read.browser)).toHaveLength(1);
  });
});

test('a push names the sender, without the text; only its browser can decrypt it, and the server signs it', async () => {
  const { ada, ben, chat_id, browser } = await openPair();
  await scene.chats.send(ada, chat_id, 'The overhang at seven?');
  await arrival(browser);
  expect(pushesTo(browser)).toEqual([
    { kind: 'message', chat_id, name: 'Ada', text: null, at: now.getTime(), language: 'en' },
  ]);

  const push = scene.endpoint.received.find(({ path }) => browser.subscription.endpoint.endsWith(path));
  if (!push) throw new Error('nothing was received');
  expect(() => scene.endpoint.openBrowser().read(push)).toThrow();
  expect(push.body.toString('latin1')).not.toContain(chat_id);
  const claims = await readVapid(push, await scene.key(ben));
  expect(claims).toMatchObject({ aud: scene.endpoint.origin, sub: expect.stringMatching(/^mailto:/) });
  expect((claims.exp ?? 0) * 1000).toBeGreaterThan(Date.now());
  expect(push.headers).toMatchObject({ ttl: '86400', urgency: 'high', 'content-encoding': 'aes128gcm' });
  expect(push.headers.topic).toMatch(/^[\w-]{1,32}$/);
});

test('the message text is shown to users who want that, as its first 120 code points, and lengths reveal little', async () => {
  const { ada, ben, chat_id, browser } = await openPair();
  await scene.choose(ben, { show_text: true });
  const text = `${'🧗 up\n'.repeat(40)}end`;
  await scene.chats.send(ada, chat_id, text);
  await arrival(browser);
  expect(pushesTo(browser)).toMatchObject([{ text: messagePreview(text) }]);
  const sizes = scene.endpoint.received.map(({ body }) => (body.length - 86 - 17) % 512);
  expect(new Set(sizes)).toEqual(new Set([0]));
});

test('quiet hours follow the chosen zone', async () => {
  const { ada, ben, chat_id, browser } = await openPair();
  await scene.choose(ben, { quiet_hours: { from: '22:00', until: '02:05', time_zone: 'Asia/Tokyo' } });
  now = new Date('2026-11-18T17:04:59Z');
  await scene.chats.send(ada, chat_id, 'At 02:04 in Tokyo');
  await scene.settle();
  expect(pushesTo(browser)).toEqual([]);
  now = new Date('2026-11-18T17:05:00Z');
  await scene.chats.send(ada, chat_id, 'At 02:05 in Tokyo');
  await arrival(browser);
});

test('a push that is sent shortly before quiet hours expires when they begin', async () => {
  const { ada, ben, chat_id, browser } = await openPair();
  await scene.choose(ben, { quiet_hours: { from: '18:02', until: '07:00', time_zone: 'Europe/Madrid' } });
  now = new Date('2026-11-18T17:00:30Z');
  await scene.chats.send(ada, chat_id, 'Hello');
  await arrival(browser);
  const push = scene.endpoint.received.find(({ path }) => browser.subscription.endpoint.endsWith(path));
  expect(push?.headers.ttl).toBe('90');
});

test('all of a user’s browsers are notified, and several messages become one with the latest', async () => {
  const { ada, ben, chat_id, browser } = await openPair();
  await scene.choose(ben, { show_text: true });
  const other = await scene.subscribe(ben);
  await scene.chats.send(ada, chat_id, 'one');
  for (const each of [browser, other.browser]) await arrival(each);
  for (const text of ['two', 'three', 'four']) await scene.chats.send(ada, chat_id, text);
  for (const each of [browser, other.browser]) {
    await arrival(each, 2);
    expect(pushesTo(each)).toMatchObject([{ text: 'one' }, { text: 'four' }]);
  }
  const topics = scene.endpoint.received
    .filter(({ path }) => browser.subscription.endpoint.endsWith(path))
    .map(({ headers }) => headers.topic);
  expect(new Set(topics).size).toBe(1);
});

describe('the push service', () => {
  test.each([404, 410])('that knows no such browser (%i) is asked no more', async (status) => {
    const { ada, ben, chat_id, browser } = await openPair();
    const rows = () =>
      scene.api.database.selectFrom('push_subscriptions').selectAll().where('user_id', '=', ben.user.id).execute();
    scene.endpoint.answer(status);
    await scene.chats.send(ada, chat_id, 'Hello');
    await arrival(browser);
    await expect.poll(rows).toEqual([]);
  });

  test.each([429, 503])('that has no time (%i) is asked again', async (status) => {
    const { ada, chat_id, browser } = await openPair();
    scene.endpoint.answer(status, RETRY);
    await scene.chats.send(ada, chat_id, 'Hello');
    await arrival(browser);
    scene.endpoint.answer(201);
    scene.timer.advance(RETRY_MS);
    await arrival(browser, 2);
    expect(new Set(pushesTo(browser).map((push) => JSON.stringify(push))).size).toBe(1);
  });

  test.each([
    [
      'quiet hours have begun',
      async () => {
        now = new Date('2026-11-18T17:02:00Z');
      },
    ],
    ['messages are switched off', ({ ben }: Pair) => scene.choose(ben, { messages: false })],
    ['a block silences the writer', ({ ada, ben }: Pair) => scene.chats.block(ben, ada)],
  ])('that has no time is not asked again once %s', async (_what, change) => {
    const [pair, other] = [await openPair(), await openPair()];
    await scene.choose(pair.ben, { quiet_hours: { from: '18:02', until: '07:00', time_zone: 'Europe/Madrid' } });
    scene.endpoint.answer(503, RETRY);
    for (const { ada, chat_id } of [pair, other]) await scene.chats.send(ada, chat_id, 'Hello');
    for (const { browser } of [pair, other]) await arrival(browser);
    await change(pair);
    scene.endpoint.answer(201);
    scene.timer.advance(RETRY_MS);
    await arrival(other.browser, 2);
    await scene.settle();
    expect(pushesTo(pair.browser)).toHaveLength(1);
  });

  test('gets a shorter lifetime of the push with each retry', async () => {
    const { ada, chat_id, browser } = await openPair();
    scene.endpoint.answer(503, RETRY);
    await scene.chats.send(ada, chat_id, 'Hello');
    await arrival(browser);
    now = new Date(NOW.getTime() + 60_000);
    scene.endpoint.answer(201);
    scene.timer.advance(RETRY_MS);
    await arrival(browser, 2);
    const pushes = scene.endpoint.received.filter(({ path }) => browser.subscription.endpoint.endsWith(path));
    expect(pushes.map(({ headers }) => headers.ttl)).toEqual(['86400', '86340']);
  });

  test.each([302, 400, 403, 413])('that refuses (%i) is not followed, and the subscription stays', async (status) => {
    const { ada, ben, chat_id, browser } = await openPair();
    const trap = scene.endpoint.openBrowser();
    scene.endpoint.answer(status, { location: trap.subscription.endpoint });
    await scene.chats.send(ada, chat_id, 'Hello');
    await arrival(browser);
    scene.endpoint.answer(201);
    await scene.settle();
    expect(pushesTo(browser)).toHaveLength(1);
    expect(pushesTo(trap)).toEqual([]);
    expect(
      await scene.api.database
        .selectFrom('push_subscriptions')
        .selectAll()
        .where('user_id', '=', ben.user.id)
        .execute(),
    ).toHaveLength(1);
  });

  test('that switches the protocol (101) occupies no slot', async () => {
    const { ada, ben, chat_id, browser } = await openPair();
    const browsers = [browser];
    // One more than a user's slots.
    while (browsers.length < 5) browsers.push((await scene.subscribe(ben)).browser);
    scene.endpoint.answer(101, { connection: 'upgrade', upgrade: 'websocket' });
    await scene.chats.send(ada, chat_id, 'Hello');
    for (const each of browsers) await scene.arrival(each);
  });

  test('that never answers holds up no message, no other push and not the end of the server', async () => {
    const own = await openPushScene();
    const { ada, ben, chat_id } = await own.chats.openChat();
    const { browser } = await own.subscribe(ben);
    own.endpoint.answer(0);
    for (const text of ['one', 'two', 'three']) expect((await own.chats.send(ada, chat_id, text)).status).toBe(201);
    await own.arrival(browser, 1);
    own.endpoint.answer(201);
    await own.settle();
    await own.close();
  });
});
