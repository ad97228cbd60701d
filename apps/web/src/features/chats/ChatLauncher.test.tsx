import type { Chat } from '@sendlap/contract/chats.ts';
import { CLOSED_CHAT_PANEL } from '@sendlap/domain/chats/chat-panel.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test, vi } from 'vitest';
import { CHAT, CHAT_ID } from '#test/unit/fake-chat.ts';
import { changeLanguage, loadNamespaces, startI18n } from '#web/shared/i18n/i18n.ts';
import { ChatLauncher } from './ChatLauncher.tsx';

let chats: Chat[];

vi.mock('./data/use-chats.ts', () => ({ useChats: () => ({ chats }) }));
vi.mock('./panel-state/panel.ts', () => ({ panel: {}, usePanel: () => MINIMIZED }));

const MINIMIZED = { ...CLOSED_CHAT_PANEL, view: 'messages', chat_id: CHAT_ID, minimized: true } as const;

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await startI18n();
  await loadNamespaces(['chats']);
});

const OTHERS = ['5', '6'].map((digit, index) => ({
  ...CHAT,
  id: CHAT_ID.replaceAll('4', digit),
  unreadCount: index + 1,
}));

/** Returns the screen reader text and the badge of the button while the chat with Eve is minimized. */
async function readButton(language: 'en' | 'es', unreadCount: number, others: Chat[], in_title_bar = false) {
  await changeLanguage(language);
  chats = [{ ...CHAT, unreadCount }, ...others];
  const html = renderToStaticMarkup(<ChatLauncher in_title_bar={in_title_bar} />);
  const read = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, text = '']) => text);
  return { words: read(/class="sr-only">(.*?)</g), badges: read(/class="figures[^>]*>(.*?)</g) };
}

test('a minimized chat without unread messages has no text and no badge', async () => {
  expect(await readButton('en', 0, [])).toEqual({ words: [], badges: [] });
});

test('a minimized chat shows its unread messages and, apart from them, those of all others; the badge shows all', async () => {
  expect(await readButton('en', 2, OTHERS)).toEqual({
    words: ['2 unread messages', '3 unread messages in other chats'],
    badges: ['5'],
  });
  expect(await readButton('es', 0, OTHERS.slice(0, 1))).toEqual({
    words: ['1 mensaje sin leer en otros chats'],
    badges: ['1'],
  });
});

test('in the title bar, which has no room for it, the name of a minimized chat is for screen readers', async () => {
  expect(await readButton('en', 2, [], true)).toEqual({
    words: [CHAT.name, '2 unread messages'],
    badges: ['2'],
  });
});

test('as long as the chat is not known all unread messages count together', async () => {
  await changeLanguage('en');
  chats = OTHERS;
  const html = renderToStaticMarkup(<ChatLauncher in_title_bar={false} />);
  expect(html).toContain('3 unread messages<');
  expect(html).not.toContain('in other chats');
});
