import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { installFakeWorker } from '../device/fake-worker.ts';
import { openApp } from '../open-app.ts';
import { EVE } from '../people.ts';
import { findMessageField, openAppWithChats, openChatWith, pressInPanel } from '../scenes/chat-panel.ts';

const CARD = 'A new version is ready';
const findCard = () => screen.findByRole('region', { name: CARD });
const queryCard = () => screen.queryByRole('region', { name: CARD });

test('a new version is offered until Later or Update Now; after Later, the next version is offered [spec 2.update.card, 2.update.now, 2.update.later, 4.update.available, 4.update.now, 4.update.later]', async () => {
  const worker = installFakeWorker();
  const { user, departures, reload } = await openApp({ as: null, path: '/login' });
  // The password sign-in loads when the page is idle, as the worker does.
  await screen.findByRole('button', { name: 'Use e-mail and password' });
  expect(queryCard()).toBe(null);
  worker.publish();
  await user.click(within(await findCard()).getByRole('button', { name: 'Later' }));
  await vi.waitFor(() => expect(queryCard()).toBe(null));
  await reload();
  await screen.findByRole('button', { name: 'Use e-mail and password' });
  await vi.waitFor(() => expect(worker.version_reads()).toBe(2));
  await runTurns();
  expect(queryCard()).toBe(null);
  worker.publish();
  await user.click(within(await findCard()).getByRole('button', { name: 'Update Now' }));
  await vi.waitFor(() => expect(departures.list).toEqual(['reload']));
});

test('a version that the browser found before the page listened is offered when it is installed', async () => {
  const endInstallation = installFakeWorker().find();
  await openApp({ as: null, path: '/login' });
  await screen.findByRole('button', { name: 'Use e-mail and password' });
  await runTurns();
  expect(queryCard()).toBe(null);
  endInstallation();
  await findCard();
});

test('a new version does not ask while a chat is open or a message waits, and a draft outlasts it', async () => {
  const worker = installFakeWorker();
  const phone = await openAppWithChats({ prepare: (chats) => void chats.put(EVE, EVE, 'Hi') });
  const { user } = phone;
  const close = async () => {
    await pressInPanel(phone, 'Close chats');
    await screen.findByRole('button', { name: /^Open chats/ });
  };
  await openChatWith(phone, 'Eve');
  await user.type(await findMessageField(), 'See you at');
  worker.publish();
  await vi.waitFor(() => expect(worker.version_reads()).toBe(1));
  await runTurns();
  expect(queryCard()).toBe(null);
  await close();
  await findCard();
  await phone.reload();
  await openChatWith(phone, 'Eve');
  await vi.waitFor(async () => expect(await findMessageField()).toHaveProperty('value', 'See you at'));
  expect(queryCard()).toBe(null);
  await user.clear(await findMessageField());
  await close();
  await findCard();

  // Eve's message may still be unread: the panel closes as soon as it has opened.
  await user.click(await screen.findByRole('button', { name: /^Open chats/ }));
  await vi.waitFor(() => expect(queryCard()).toBe(null));
  await pressInPanel(phone, /Eve/);
  phone.setOnline(false);
  await user.type(await findMessageField(), 'Seven?{Enter}');
  await within(await screen.findByRole('log')).findByText('Seven?');
  await vi.waitFor(async () => expect(await findMessageField()).toHaveProperty('value', ''));
  await close();
  expect(queryCard()).toBe(null);
  phone.setOnline(true);
  await findCard();
  expect(phone.chats.messagesWith(EVE)).toEqual(['Hi', 'Seven?']);
});
