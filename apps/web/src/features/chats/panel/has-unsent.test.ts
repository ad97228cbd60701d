import { expect, test, vi } from 'vitest';
import { CHAT_ID } from '#test/unit/fake-chat.ts';
import type { OutboxSnapshot } from '#web/shared/outbox/snapshot.ts';
import { hasUnsent } from './has-unsent.ts';
import { createPanelStore } from './panel-store.ts';

/** An outbox with waiting messages, each with its refusal or null. */
function outboxWith(...refusals: ({ code: string; message: string } | null)[]) {
  const messages = refusals.map((refused) => ({ refused }));
  return { getSnapshot: () => ({ messages }) as unknown as OutboxSnapshot };
}

const DISK = { load: async () => '', save: async () => true };

const REFUSED = { code: 'chat_closed', message: '' };

test('a refused message and an open panel are nothing unsent', () => {
  const panel = createPanelStore(DISK);
  panel.dispatch({ type: 'open' });
  expect(hasUnsent(panel, outboxWith(REFUSED))).toBe(false);
});

test('a message that waits is, also beside a refused one', () => {
  expect(hasUnsent(createPanelStore(DISK), outboxWith(REFUSED, null))).toBe(true);
});

test('so is a draft that the disk does not have yet, while the panel is closed too', async () => {
  const panel = createPanelStore(DISK);
  panel.setDraft(CHAT_ID, 'See you at');
  expect(hasUnsent(panel, outboxWith())).toBe(true);
  await vi.waitFor(() => expect(hasUnsent(panel, outboxWith())).toBe(false));
});
