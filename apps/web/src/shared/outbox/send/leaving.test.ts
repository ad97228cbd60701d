import { beforeEach, expect, test, vi } from 'vitest';
import { ANA, CHAT, openClosedApp } from '#test/unit/closed-app.ts';
import type { Call } from '#web/shared/api/call.ts';
import type { Outbox } from '../outbox.ts';
import { PageLeftError, watchLeaving } from './leaving.ts';
import { createOutboxCalls } from './outbox-calls.ts';

const never = () => new Promise<never>(() => {});
const LOCKS = ['sendlap-outbox', `sendlap-outbox ${CHAT}`];

let app: Awaited<ReturnType<typeof openClosedApp>>;
let window: EventTarget;
const leave = () => window.dispatchEvent(new Event('pagehide'));
const show = () => window.dispatchEvent(new Event('pageshow'));

beforeEach(async () => {
  window = new EventTarget();
  app = await openClosedApp();
  await app.signIn();
});

/** Leaves the page as soon as it has come as far as `expectMiddle` says. */
async function sendAndLeave(page: Outbox, expectMiddle: () => Promise<void>): Promise<void> {
  let is_sent: boolean | undefined;
  void page.flush().then((result) => {
    is_sent = result;
  });
  await vi.waitFor(expectMiddle);
  leave();
  await vi.waitFor(() => expect(is_sent).toBe(false));
}

async function countLocks(kind: 'held' | 'pending'): Promise<number> {
  const locks = (await navigator.locks.query())[kind] ?? [];
  return locks.filter(({ name = '' }) => LOCKS.includes(name)).length;
}

test('a page that is left in the middle of a request leaves its work to the worker, and reports no failure', async () => {
  const op_id = await app.saveFinish();
  const send = vi.fn(never);
  const { page } = app.openPage({ visit: watchLeaving(window), send });
  await sendAndLeave(page, async () => expect(send).toHaveBeenCalled());
  expect(await countLocks('held')).toBe(0);
  expect(page.getSnapshot()).toMatchObject({ status: 'idle', storage_error: null });
  expect(await app.store.listOps(ANA)).toMatchObject([{ op_id, attempts: 0, last_error: null }]);
  expect(await app.wake()).toBe('done');
  expect(app.server.ops).toEqual([op_id]);
});

test('a page that is left between two steps does not report that it sends', async () => {
  await app.saveFinish();
  const { page } = app.openPage({ visit: watchLeaving(window), send: never });
  await sendAndLeave(page, async () => expect(await countLocks('held')).toBe(1));
  expect(await app.wake()).toBe('done');
  expect(page.getSnapshot()).toMatchObject({ status: 'idle', storage_error: null });
});

test('a page that is left while it sends a message leaves it to the worker, and reports no failure', async () => {
  await app.write('hello');
  const sendMessage = vi.fn(never);
  const { page } = app.openPage({ visit: watchLeaving(window), sendMessage });
  await sendAndLeave(page, async () => expect(sendMessage).toHaveBeenCalled());
  expect(page.getSnapshot()).toMatchObject({ storage_error: null });
  expect(await app.wake()).toBe('done');
  expect(app.server.messages).toMatchObject([{ message: 'hello' }]);
});

test('a page that is left stops waiting for the lock', async () => {
  await app.saveFinish();
  const { page, sent } = app.openPage({ visit: watchLeaving(window) });
  await navigator.locks.request('sendlap-outbox', async () => {
    await sendAndLeave(page, async () => expect(await countLocks('pending')).toBe(1));
  });
  expect(sent).toEqual([]);
});

test('a page that is left sends nothing; shown again, it sends once the rest that the worker has left', async () => {
  const op_id = await app.saveFinish();
  const { page, sent } = app.openPage({ visit: watchLeaving(window) });
  leave();
  expect(await page.flush()).toBe(false);
  expect(sent).toEqual([]);
  show();
  expect(await page.flush()).toBe(true);
  expect(sent).toEqual([op_id]);
});

test('requests of a visit that has ended stay aborted after the return', async () => {
  const visit = watchLeaving(window);
  const before = visit();
  leave();
  show();
  const signals: unknown[] = [];
  const call = (async (_endpoint, _args, options) => {
    signals.push(options?.signal);
    return { results: [] };
  }) as Call;
  const { send, sendMessage } = createOutboxCalls(call);
  await send(ANA, [], async () => {}, before);
  await sendMessage({ chat_id: CHAT, client_id: 'a', text: 'hello', user_id: ANA } as never, async () => {}, before);
  expect(signals).toEqual([before, before]);
  expect(before.reason).toBeInstanceOf(PageLeftError);
  expect(visit().aborted).toBe(false);
});
