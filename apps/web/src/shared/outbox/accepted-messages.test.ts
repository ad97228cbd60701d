import type { Message } from '@sendlap/contract/chats.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { ANA, MESSAGES, openClosedApp, REFRESH } from '#test/unit/closed-app.ts';
import { countUnsent } from './store/count-unsent.ts';

let app: Awaited<ReturnType<typeof openClosedApp>>;
beforeEach(async () => {
  app = await openClosedApp();
  await app.signIn();
});

const texts = (messages: Message[]) => messages.map(({ message }) => message);

test('messages that the worker has sent are handed to the threads once, in order, and leave the outbox', async () => {
  for (const text of ['one', 'two', 'three']) await app.write(text);
  expect(await app.wake()).toBe('done');
  expect(await app.store.countLocalOnly(ANA)).toBe(0);
  expect(await countUnsent()).toEqual({ activities: 0, proofs: 0, messages: 0 });
  const { page, stored, showChats } = app.openPage();
  // Without the chats there is no thread to store them.
  await page.flush();
  page.handleUserChange();
  await vi.waitFor(() => expect(texts(page.getSnapshot().accepted)).toEqual(['one', 'two', 'three']));
  expect(page.getSnapshot().messages).toEqual([]);
  showChats();
  await vi.waitFor(async () => expect(await app.listAccepted()).toEqual([]));
  await page.flush();
  expect(texts(stored)).toEqual(['one', 'two', 'three']);
});

test('an open page takes them at once, without a network of its own', async () => {
  const { stored, showChats } = app.openPage({ isOnline: () => false });
  showChats();
  await app.write('hello');
  expect(await app.wake()).toBe('done');
  await vi.waitFor(async () => expect(await app.listAccepted()).toEqual([]));
  expect(texts(stored)).toEqual(['hello']);
});

test('a message that its thread cannot store stays, is not sent again, and holds up none after it', async () => {
  for (const text of ['one', 'two']) await app.write(text);
  await app.wake();
  const stored: string[] = [];
  const { page } = app.openPage();
  page.onMessageSent(async ({ message }) => {
    if (message === 'one') throw new Error('the chat could not be synced');
    stored.push(message);
  });
  await vi.waitFor(async () => expect(texts(await app.listAccepted())).toEqual(['one']));
  expect(stored).toEqual(['two']);
  expect(await page.flush()).toBe(true);
  expect(await app.wake()).toBe('done');
  expect(app.server.asked).toEqual([REFRESH, MESSAGES, MESSAGES]);
});

test('one that no page has stored is deleted at the sign-out, and an unsent one stays', async () => {
  await app.write('sent');
  await app.wake();
  await app.write('not sent');
  await app.store.pruneSent({ keeps_copies: false });
  expect(await app.listAccepted()).toEqual([]);
  expect(await app.store.messages.listMessages(ANA)).toMatchObject([{ text: 'not sent' }]);
});
