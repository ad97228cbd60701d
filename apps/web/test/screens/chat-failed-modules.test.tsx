import { screen } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { failModuleLoad } from '../device/module-loading.ts';
import { FriendModel } from '../models/friend-model.ts';
import { openApp, type Phone } from '../open-app.ts';
import { EVE, NORA } from '../people.ts';
import { findChatButton, findPanel, openAppWithChats } from '../scenes/chat-panel.ts';
import { friendsSection, openPerson } from '../scenes/friends-screen.ts';

function loseAndFindNetwork(phone: Phone): void {
  phone.setOnline(false);
  phone.setOnline(true);
}

test('a panel whose code does not come says so, leaves the screen in place, and opens when the code comes', async () => {
  const code = failModuleLoad('#web/features/chats/ChatPanel.tsx');
  const { user } = await openAppWithChats();
  const button = await findChatButton();
  button.focus();
  await user.keyboard('{Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load chats');
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toContain('Nora');
  code.setMissing(false);
  (await findChatButton()).focus();
  await user.keyboard('{Enter}');
  await findPanel('Chats');
});

/** Lazy-loaded parts that no screen waits for. */
const LATE_PARTS = [
  '#web/features/badges/BadgeCelebrations.tsx',
  '#web/features/chats/ChatRoot.tsx',
  '#web/features/chats/ChatLauncher.tsx',
  '#web/features/install/InstallAndUpdateCards.tsx',
  '#web/features/friends/FriendLiveUpdates.tsx',
  '#web/features/notifications/InAppNotifications.tsx',
  '#web/features/qr/decisions/ScanLiveUpdates.tsx',
  '#web/app/welcome/WelcomeFlow.tsx',
];

test('late parts whose code does not come leave the screen in place, and come with the network', async () => {
  const parts = LATE_PARTS.map((path) => ({ path, code: failModuleLoad(path) }));
  const phone = await openAppWithChats();
  await vi.waitFor(() => {
    const never_requested = parts.filter(({ code }) => code.requests() === 0).map(({ path }) => path);
    expect(never_requested).toEqual([]);
  });
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toContain('Nora');
  expect(screen.queryByRole('button', { name: /^Open chats/ })).toBeNull();
  for (const { code } of parts) code.setMissing(false);
  loseAndFindNetwork(phone);
  await phone.user.click(await findChatButton());
  await findPanel('Chats');
  // Each part was requested again.
  await vi.waitFor(() => {
    for (const { path, code } of parts) expect(code.requests(), path).toBeGreaterThan(1);
  });
});

test('a sheet whose code does not come leaves the screen in place, and opens when the code comes', async () => {
  const code = failModuleLoad('#web/shared/ui/sheet/SheetSurface.tsx');
  const phone = await openApp({
    path: '/friends',
    prepare: (server) => void new FriendModel(server, NORA, [EVE]).befriend(EVE),
  });
  await friendsSection();
  const requests = code.requests();
  const opened = openPerson(phone, 'Eve');
  await vi.waitFor(() => expect(code.requests()).toBeGreaterThan(requests));
  await screen.findByRole('heading', { level: 1, name: 'Friends' });
  expect(screen.queryByRole('dialog')).toBeNull();
  code.setMissing(false);
  loseAndFindNetwork(phone);
  await opened;
});
