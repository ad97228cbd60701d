import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ANA, type Answer, BEN, CHAT, MESSAGES, openClosedApp, REFRESH, SYNC } from '#test/unit/closed-app.ts';
import { refusal } from '#test/unit/fake-server.ts';

let app: Awaited<ReturnType<typeof openClosedApp>>;
beforeEach(async () => {
  app = await openClosedApp();
});

const foreign =
  (status: number): Answer =>
  () =>
    new Response('<h1>Accept our terms</h1>', { status, headers: { 'content-type': 'text/html' } });
/** Answers of a network or a server that says nothing about the session or the data. */
const TROUBLE: [string, Answer][] = [
  ['a portal', foreign(200)],
  ['a portal with 401', foreign(401)],
  ['a portal with 403', foreign(403)],
  ['a proxy with 404', foreign(404)],
  ['a server that is starting', () => refusal(503, 'unavailable')],
  ['a reply that is cut', () => new TypeError('cut')],
];

describe('nothing is sent', () => {
  test('signed out: the server is not even asked', async () => {
    await app.saveFinish();
    expect(await app.wake()).toBe('signed_out');
    expect(app.server.asked).toEqual([]);
    expect(await app.store.listOps(ANA)).toHaveLength(1);
  });

  test('if the server has ended the session', async () => {
    await app.signIn();
    await app.saveFinish();
    await app.write('hello');
    app.server.instead[REFRESH] = () => refusal(401, 'refresh_invalid');
    expect(await app.wake()).toBe('signed_out');
    expect(app.server.asked).toEqual([REFRESH]);
    expect(await app.store.readQueue()).toMatchObject({ op_count: 1, chat_ids: [CHAT] });
  });

  test("as another user, whose session it is now: the first user's rows stay as they are", async () => {
    await app.signIn();
    await app.saveFinish();
    await app.write('hello');
    const before = await app.store.listRows(ANA);
    app.server.user_id = BEN;
    expect(await app.wake()).toBe('done');
    expect(app.server.asked).toEqual([REFRESH]);
    expect(await app.store.listRows(ANA)).toEqual(before);
  });

  test('as another user who signs in while the worker sends', async () => {
    await app.signIn();
    await app.saveFinish();
    await app.write('hello');
    app.server.instead[SYNC] = () => {
      app.server.instead = {};
      app.server.user_id = BEN;
      return refusal(401, 'unauthenticated');
    };
    expect(await app.wake()).toBe('failed');
    expect(app.server.asked).toEqual([REFRESH, SYNC, REFRESH]);
    expect(await app.store.readQueue()).toMatchObject({ op_count: 1, chat_ids: [CHAT] });
  });

  test.each(TROUBLE)('%s in place of the refresh: the session and the rows stay', async (_, answer) => {
    await app.signIn();
    const op_id = await app.saveFinish();
    app.server.instead[REFRESH] = answer;
    expect(await app.wake()).toBe('failed');
    expect(app.server.asked).toEqual([REFRESH]);
    expect(await app.store.listOps(ANA)).toMatchObject([{ op_id, attempts: 0 }]);
    app.server.instead = {};
    expect(await app.wake()).toBe('done');
    expect(app.server.ops).toEqual([op_id]);
  });
});

test.each(TROUBLE)('%s after the server has done the work: the op stays, and counts once', async (_, answer) => {
  await app.signIn();
  const op_id = await app.saveFinish();
  app.server.after[SYNC] = answer;
  expect(await app.wake()).toBe('failed');
  expect(await app.store.listOps(ANA)).toMatchObject([{ op_id }]);
  app.server.after = {};
  expect(await app.wake()).toBe('done');
  expect(app.server.ops).toEqual([op_id]);
  expect(await app.store.listOps(ANA)).toEqual([]);
});

test('a sync that the server refuses with 403 ends the sending, and keeps the op', async () => {
  await app.signIn();
  await app.saveFinish();
  app.server.instead[SYNC] = () => refusal(403, 'forbidden');
  expect(await app.wake()).toBe('failed');
  expect(await app.store.listOps(ANA)).toHaveLength(1);
});

test('a sync that the server refuses with 401 is sent again after a refresh, each with a proof of this browser', async () => {
  await app.signIn();
  const op_id = await app.saveFinish();
  app.server.instead[SYNC] = () => {
    app.server.instead = {};
    return refusal(401, 'unauthenticated');
  };
  expect(await app.wake()).toBe('done');
  expect(app.server.asked).toEqual([REFRESH, SYNC, REFRESH, SYNC]);
  expect(app.server.proof_count).toBe(2);
  expect(app.server.ops).toEqual([op_id]);
});

test('a chat that the server does not find refuses its message: the page shows why', async () => {
  await app.signIn();
  await app.write('hello');
  app.server.instead[MESSAGES] = () => refusal(404, 'chat_not_found');
  expect(await app.wake()).toBe('done');
  const refused = { code: 'chat_not_found' };
  expect(await app.store.messages.listMessages(ANA)).toMatchObject([{ text: 'hello', refused }]);
});

test('a page that opens while the worker sends waits for it, and sends only the ops saved since', async () => {
  await app.signIn();
  const first = await app.saveFinish();
  const late = Promise.withResolvers<void>();
  app.server.instead[SYNC] = async () => {
    await late.promise;
    return undefined;
  };
  const sending = app.wake();
  await vi.waitFor(() => expect(app.server.asked).toEqual([REFRESH, SYNC]));
  const { page, sent } = app.openPage();
  const second = await app.saveFinish();
  const flushed = page.flush();
  late.resolve();
  expect(await sending).toBe('done');
  expect(await flushed).toBe(true);
  expect([...app.server.ops, ...sent]).toEqual([first, second]);
  expect(await app.store.listOps(ANA)).toEqual([]);
});

test('two wake-ups at once send each thing once', async () => {
  await app.signIn();
  const op_id = await app.saveFinish();
  await app.write('hello');
  expect(await Promise.all([app.wake(), app.wake()])).toEqual(['done', 'done']);
  expect(app.server.asked.filter((path) => path !== REFRESH)).toEqual([SYNC, MESSAGES]);
  expect(app.server.ops).toEqual([op_id]);
  expect(app.server.messages).toMatchObject([{ message: 'hello' }]);
});

test('a server that was restored gets its missing work before newer work, and the message that no page has stored', async () => {
  await app.signIn();
  const first = await app.saveFinish();
  await app.write('hello');
  expect(await app.wake()).toBe('done');
  expect([app.server.ops, app.server.messages]).toMatchObject([[first], [{ message: 'hello' }]]);
  Object.assign(app.server, { ops: [], messages: [], epoch: 'two' });
  const second = await app.saveFinish();
  expect(await app.wake()).toBe('done');
  expect([app.server.ops, app.server.messages]).toMatchObject([[first, second], [{ message: 'hello' }]]);
});

test('a server that is restored while the worker sends gets its missing work first, too', async () => {
  await app.signIn();
  const first = await app.saveFinish();
  expect(await app.wake()).toBe('done');
  const second = await app.saveFinish();
  app.server.instead[SYNC] = () => {
    Object.assign(app.server, { ops: [], epoch: 'two', instead: {} });
    return refusal(401, 'unauthenticated');
  };
  expect(await app.wake()).toBe('done');
  expect(app.server.ops).toEqual([first, second]);
});

test.each([
  ['an activity', SYNC, async () => void (await app.saveFinish())],
  ['a message', MESSAGES, () => app.write('hello')],
])('%s whose acknowledgement arrives after a restore is sent again', async (_, path, save) => {
  await app.signIn();
  await save();
  app.server.after[path] = async () => {
    Object.assign(app.server, { ops: [], messages: [], epoch: 'two', after: {} });
    // Another tab hears of it.
    await app.store.saveEpoch('two');
    return undefined;
  };
  expect(await app.wake()).toBe('done');
  expect(app.server.ops.length + app.server.messages.length).toBe(1);
});
