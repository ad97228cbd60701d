import { CLOSED_CHAT_PANEL } from '@sendlap/domain/chat-panel.ts';
import { expect, test, vi } from 'vitest';
import { createPanelStore } from './panel-store.ts';

const ANA = '0b5c1f0e-3a5d-4c8e-9f00-1234567890ab';

test('listeners hear of changes, and of nothing else', () => {
  const store = createPanelStore();
  const heard = vi.fn();
  const stop = store.subscribe(heard);
  store.dispatch({ type: 'back' });
  expect(heard).not.toHaveBeenCalled();
  store.dispatch({ type: 'open' });
  stop();
  store.dispatch({ type: 'close' });
  expect(heard).toHaveBeenCalledTimes(1);
});

test('a draft stays with its chat while the panel is closed, and goes with its writer', () => {
  const store = createPanelStore();
  store.dispatch({ type: 'open_chat_id', chat_id: ANA });
  store.keepDraft(ANA, 'See you at');
  store.dispatch({ type: 'close' });
  expect(store.writingIn(ANA).draft).toBe('See you at');
  store.dispatch({ type: 'open' });
  store.dispatch({ type: 'signed_out' });
  expect([store.writingIn(ANA).draft, store.getState()]).toEqual(['', CLOSED_CHAT_PANEL]);
});

test('while one is being saved no other is sent, and what is written meanwhile stays', async () => {
  const store = createPanelStore();
  const saved = Promise.withResolvers<void>();
  const send = vi.fn(() => saved.promise);
  store.keepDraft(ANA, 'one');
  const sending = store.sendDraft(ANA, send);
  expect(store.writingIn(ANA)).toEqual({ draft: '', is_sending: true, failure: null });
  store.keepDraft(ANA, 'two');
  await store.sendDraft(ANA, send);
  saved.resolve();
  await sending;
  expect(send.mock.calls).toEqual([['one']]);
  expect(store.writingIn(ANA)).toEqual({ draft: 'two', is_sending: false, failure: null });
});

test('what could not be saved stands in the field again, before what was written meanwhile, with the reason', async () => {
  const store = createPanelStore();
  const failure = new Error('the disk is full');
  const saved = Promise.withResolvers<void>();
  store.keepDraft(ANA, ' one ');
  const sending = store.sendDraft(ANA, () => saved.promise);
  store.keepDraft(ANA, 'two');
  saved.reject(failure);
  await sending;
  expect(store.writingIn(ANA)).toEqual({ draft: ' one \ntwo', is_sending: false, failure });
});

test('it does not come back to somebody else', async () => {
  const store = createPanelStore();
  const saved = Promise.withResolvers<void>();
  store.keepDraft(ANA, 'one');
  const sending = store.sendDraft(ANA, () => saved.promise);
  store.dispatch({ type: 'signed_out' });
  saved.reject(new Error('the disk is full'));
  await sending;
  expect(store.writingIn(ANA)).toEqual({ draft: '', is_sending: false, failure: null });
});

test('a text of blanks is nothing written; any other is until it is on its way, and one that is being saved too', async () => {
  const store = createPanelStore();
  const saved = Promise.withResolvers<void>();
  store.keepDraft(ANA, ' \n');
  expect(store.isAnyWritten()).toBe(false);
  store.keepDraft(ANA, 'one');
  expect(store.isAnyWritten()).toBe(true);
  const sending = store.sendDraft(ANA, () => saved.promise);
  expect(store.isAnyWritten()).toBe(true);
  saved.resolve();
  await sending;
  expect(store.isAnyWritten()).toBe(false);
});

test('whoever signs out leaves nothing written, and listeners hear of it with the panel closed too', () => {
  const store = createPanelStore();
  const heard = vi.fn();
  store.keepDraft(ANA, 'one');
  store.subscribe(() => heard(store.isAnyWritten()));
  store.dispatch({ type: 'signed_out' });
  expect(heard.mock.calls).toEqual([[false]]);
});
