import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { installPushBrowser } from '../device/push-browser.ts';
import { ChatModel } from '../models/chat-model.ts';
import { openApp } from '../open-app.ts';
import { EVE } from '../people.ts';
import { findLog, openAppWithChats } from '../scenes/chat-panel.ts';

/** Longer than the worker waits for a page to take a push. */
const NO_ANSWER_MS = 1_500;
const REQUEST = {
  kind: 'friend_request',
  name: 'Zoe',
  at: Date.parse('2026-11-20T10:00:00Z'),
  language: 'en',
} as const;

test('an address that a notification opened leads to its chat, and does not keep it', async () => {
  const { chats } = await openAppWithChats({
    path: `/dashboard?chat=${ChatModel.chatIdWith(EVE)}`,
    prepare: (model) => void model.put(EVE, EVE, 'See you there'),
  });
  await within(await findLog()).findByText('See you there');
  expect(chats.messagesWith(EVE)).toEqual(['See you there']);
  expect(window.location.pathname + window.location.search).toBe('/dashboard');
});

test('a push is shown by the browser where the page has no room for it, and by the page elsewhere', async () => {
  const browser = installPushBrowser({ permission: 'granted' });
  const phone = await openApp({ path: '/qr/scan', now: '2026-11-20T10:00:00Z' });
  await screen.findByRole('heading', { level: 1 });
  await browser.answered();
  const taken = browser.push(REQUEST);
  await phone.passTime(NO_ANSWER_MS);
  await taken;
  expect(browser.shown()).toEqual([{ title: 'Zoe', body: 'Wants to be your friend' }]);
  expect(screen.queryByText('Zoe wants to be your friend')).toBeNull();
  await phone.reload('/dashboard');
  await screen.findByRole('heading', { level: 1, name: 'Hi, Nora' });
  await browser.answered();
  await browser.push({ ...REQUEST, name: 'Yan', at: REQUEST.at + 1 });
  await screen.findByText('Yan wants to be your friend');
  expect(browser.shown().map(({ title }) => title)).toEqual(['Zoe']);
});
