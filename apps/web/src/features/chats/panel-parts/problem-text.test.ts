import type { ChatPanelEvent } from '@sendlap/domain/chats/chat-panel.ts';
import { beforeAll, expect, test, vi } from 'vitest';
import { changeLanguage, loadNamespaces, startI18n } from '#web/shared/i18n/i18n.ts';
import { getTranslator } from '#web/shared/i18n/texts.ts';
import { createPanelStore } from '../panel-state/panel-store.ts';
import { problemText } from './problem-text.ts';

const ID = '0b5c1f0e-3a5d-4c8e-9f00-1234567890ab';

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await startI18n();
  await loadNamespaces(['chats']);
  await changeLanguage('es');
});

/** Returns the panel's problem text after these events; null if it has no problem. */
function sayAfter(language: 'en' | 'es', ...events: ChatPanelEvent[]): string | null {
  const store = createPanelStore({ load: async () => '', save: async () => true });
  for (const event of events) store.dispatch(event);
  const { problem } = store.getState();
  return problem && problemText(getTranslator(language, 'chats'), problem);
}

test.each([null, undefined, 'abc', {}, { id: null }, { id: 'abc' }])(
  'to open %j is refused with its words [spec 5.chat-open.object, 5.chat-open.invalid]',
  (chat) => {
    expect(sayAfter('en', { type: 'open_chat', chat })).toBe('Invalid chat selected');
    expect(sayAfter('es', { type: 'open_chat', chat })).toBe('El chat elegido no es válido');
  },
);

test('a chat that is not there for me is refused with its words [spec 5.chat-open.cannot]', () => {
  const events: ChatPanelEvent[] = [
    { type: 'open_chat', chat: { id: ID } },
    { type: 'chat_missing', chat_id: ID },
  ];
  expect(sayAfter('en', ...events)).toBe('Cannot open chat');
  expect(sayAfter('es', ...events)).toBe('No se puede abrir el chat');
});

test.each([null, undefined, '', 'bea', 3])(
  'to start a chat with %j is refused with its words [spec 5.chat-start.friend]',
  (friend_id) => {
    expect(sayAfter('en', { type: 'start_chat', friend_id })).toBe('Invalid friend selected');
    expect(sayAfter('es', { type: 'start_chat', friend_id })).toBe('El amigo elegido no es válido');
  },
);

test.each([
  [null, 'null'],
  [undefined, 'undefined'],
  ['', ''],
  [5, '5'],
])('%s as the id of a chat is refused with its words and named [spec 5.chat-id.invalid]', (chat_id, name) => {
  expect(sayAfter('en', { type: 'open_chat_id', chat_id })).toBe(`Invalid chat ID provided: ${name}`);
  expect(sayAfter('es', { type: 'open_chat_id', chat_id })).toBe(`El ID de chat no es válido: ${name}`);
});

test.each(['abc', ID.replace('4c8e', '1c8e'), '<b>$t(title)</b>'])(
  '%s, which is no UUID v4, is refused with its words and named as it is [spec 5.chat-id.format]',
  (chat_id) => {
    expect(sayAfter('en', { type: 'open_chat_id', chat_id })).toBe(`Chat ID is not a valid UUID format: ${chat_id}`);
    expect(sayAfter('es', { type: 'open_chat_id', chat_id })).toBe(`El ID de chat no tiene formato UUID: ${chat_id}`);
  },
);

test('a chat and a friend with a UUID v4 are not refused', () => {
  expect(sayAfter('en', { type: 'open_chat', chat: { id: ID } })).toBeNull();
  expect(sayAfter('en', { type: 'open_chat_id', chat_id: ID })).toBeNull();
  expect(sayAfter('en', { type: 'start_chat', friend_id: ID })).toBeNull();
});
