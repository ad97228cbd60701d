import { CLOSED_CHAT_PANEL } from '@sendlap/domain/chats/chat-panel.ts';
import { expect, test, vi } from 'vitest';
import type { OutboxSnapshot } from '#web/shared/outbox/snapshot.ts';
import type { DraftStorage } from './draft-saver.ts';
import { createPanelStore, hasUnsent } from './panel-store.ts';

const ANA = '0b5c1f0e-3a5d-4c8e-9f00-1234567890ab';

/** A disk that records each write, with the given texts. */
function emptyDisk(texts = new Map<string, string>()) {
  return {
    load: async (chat_id) => texts.get(chat_id) ?? '',
    save: vi.fn(async (chat_id, text) => {
      texts.set(chat_id, text);
      return true;
    }),
  } satisfies DraftStorage;
}

test('listeners are called on changes only', () => {
  const store = createPanelStore(emptyDisk());
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
  const store = createPanelStore(emptyDisk());
  store.dispatch({ type: 'open_chat_id', chat_id: ANA });
  store.setDraft(ANA, 'See you at');
  store.dispatch({ type: 'close' });
  expect(store.getComposer(ANA).draft).toBe('See you at');
  store.dispatch({ type: 'open' });
  store.dispatch({ type: 'signed_out' });
  expect([store.getComposer(ANA).draft, store.getState()]).toEqual(['', CLOSED_CHAT_PANEL]);
});

test('while one is being saved no other is sent, and the text written since stays', async () => {
  const store = createPanelStore(emptyDisk());
  const saved = Promise.withResolvers<void>();
  const send = vi.fn(() => saved.promise);
  store.setDraft(ANA, 'one');
  const sending = store.sendDraft(ANA, send);
  expect(store.getComposer(ANA)).toEqual({ draft: '', is_sending: true, failure: null });
  store.setDraft(ANA, 'two');
  await store.sendDraft(ANA, send);
  saved.resolve();
  await sending;
  expect(send.mock.calls).toEqual([['one']]);
  expect(store.getComposer(ANA)).toEqual({ draft: 'two', is_sending: false, failure: null });
});

test('a text that could not be saved is in the field again, before the text written since, with the reason', async () => {
  const store = createPanelStore(emptyDisk());
  const failure = new Error('the disk is full');
  const saved = Promise.withResolvers<void>();
  store.setDraft(ANA, ' one ');
  const sending = store.sendDraft(ANA, () => saved.promise);
  store.setDraft(ANA, 'two');
  saved.reject(failure);
  await sending;
  expect(store.getComposer(ANA)).toEqual({ draft: ' one \ntwo', is_sending: false, failure });
});

test('it does not come back to another user', async () => {
  const store = createPanelStore(emptyDisk());
  const saved = Promise.withResolvers<void>();
  store.setDraft(ANA, 'one');
  const sending = store.sendDraft(ANA, () => saved.promise);
  store.dispatch({ type: 'signed_out' });
  saved.reject(new Error('the disk is full'));
  await sending;
  expect(store.getComposer(ANA)).toEqual({ draft: '', is_sending: false, failure: null });
});

test('a draft is there again after a reload, unless the chat has a newer one', async () => {
  const disk = emptyDisk();
  createPanelStore(disk).setDraft(ANA, 'See you at');
  await vi.waitFor(() => expect(disk.save).toHaveBeenCalled());

  const reloaded = createPanelStore(disk);
  await reloaded.restoreDraft(ANA);
  expect(reloaded.getComposer(ANA).draft).toBe('See you at');

  const typed = createPanelStore(disk);
  const restored = typed.restoreDraft(ANA);
  typed.setDraft(ANA, 'Hello');
  await restored;
  expect(typed.getComposer(ANA).draft).toBe('Hello');
});

test('a sent draft stays on the disk until the message is saved, and is then deleted', async () => {
  const disk = emptyDisk();
  const store = createPanelStore(disk);
  store.setDraft(ANA, 'one');
  await vi.waitFor(() => expect(store.hasUnsaved()).toBe(false));
  await store.sendDraft(ANA, async () => expect(await disk.load(ANA)).toBe('one'));
  await vi.waitFor(() => expect(store.hasUnsaved()).toBe(false));
  expect(await disk.load(ANA)).toBe('');
});

test('a draft is unsaved until the disk has its last letter, and a message until it is on its way', async () => {
  const disk = emptyDisk();
  const written = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
  for (const { promise } of written) disk.save.mockReturnValueOnce(promise);
  const store = createPanelStore(disk);
  store.setDraft(ANA, 'o');
  store.setDraft(ANA, 'on');
  store.setDraft(ANA, 'one');
  written[0]?.resolve(true);
  await vi.waitFor(() =>
    expect(disk.save.mock.calls).toEqual([
      [ANA, 'o'],
      [ANA, 'one'],
    ]),
  );
  expect(store.hasUnsaved()).toBe(true);
  written[1]?.resolve(true);
  await vi.waitFor(() => expect(store.hasUnsaved()).toBe(false));

  const saved = Promise.withResolvers<void>();
  const sending = store.sendDraft(ANA, () => saved.promise);
  expect(store.hasUnsaved()).toBe(true);
  saved.resolve();
  await sending;
  await vi.waitFor(() => expect(store.hasUnsaved()).toBe(false));
});

test('a draft for which the disk has no room stays unsaved', async () => {
  const disk = emptyDisk();
  disk.save.mockResolvedValue(false);
  const store = createPanelStore(disk);
  const heard = vi.fn();
  store.setDraft(ANA, 'one');
  store.subscribe(heard);
  await vi.waitFor(() => expect(heard).toHaveBeenCalled());
  expect(store.hasUnsaved()).toBe(true);
});

test('a sign-out deletes every draft, and listeners are called with the panel closed too', () => {
  const store = createPanelStore(emptyDisk());
  const heard = vi.fn();
  store.setDraft(ANA, 'one');
  store.subscribe(() => heard(store.getComposer(ANA).draft));
  store.dispatch({ type: 'signed_out' });
  expect(heard.mock.calls).toEqual([['']]);
});

/** An outbox with waiting messages, each with its refusal or null. */
function outboxWith(...refusals: ({ code: string; message: string } | null)[]) {
  const messages = refusals.map((refused) => ({ refused }));
  return { getSnapshot: () => ({ messages }) as unknown as OutboxSnapshot };
}

const REFUSED = { code: 'chat_closed', message: '' };

test('a refused message and an open panel do not count as unsent', () => {
  const panel = createPanelStore(emptyDisk());
  panel.dispatch({ type: 'open' });
  expect(hasUnsent(panel, outboxWith(REFUSED))).toBe(false);
});

test('a waiting message counts as unsent, also beside a refused one', () => {
  expect(hasUnsent(createPanelStore(emptyDisk()), outboxWith(REFUSED, null))).toBe(true);
});

test('a draft that is not on the disk yet counts as unsent, while the panel is closed too', async () => {
  const panel = createPanelStore(emptyDisk());
  panel.setDraft(ANA, 'See you at');
  expect(hasUnsent(panel, outboxWith())).toBe(true);
  await vi.waitFor(() => expect(hasUnsent(panel, outboxWith())).toBe(false));
});
