import { expect, test } from 'vitest';
import type { OutboxSnapshot } from '#web/shared/outbox/snapshot.ts';
import { CHAT_ID } from './fake-chat.ts';
import { createPanelStore } from './panel-store.ts';
import { isAnyUnsent } from './unsent.ts';

/** An outbox in which messages wait, each refused with this or not. */
function outboxWith(...refusals: ({ code: string; message: string } | null)[]) {
  const messages = refusals.map((refused) => ({ refused }));
  return { getSnapshot: () => ({ messages }) as unknown as OutboxSnapshot };
}

const REFUSED = { code: 'chat_closed', message: '' };

test('a refused message and an open panel are nothing unsent', () => {
  const panel = createPanelStore();
  panel.dispatch({ type: 'open' });
  expect(isAnyUnsent(panel, outboxWith(REFUSED))).toBe(false);
});

test('a message that waits is, also beside a refused one', () => {
  expect(isAnyUnsent(createPanelStore(), outboxWith(REFUSED, null))).toBe(true);
});

test('so is a draft, while the panel is closed too', () => {
  const panel = createPanelStore();
  panel.keepDraft(CHAT_ID, 'See you at');
  expect(isAnyUnsent(panel, outboxWith())).toBe(true);
  panel.keepDraft(CHAT_ID, '');
  expect(isAnyUnsent(panel, outboxWith())).toBe(false);
});
