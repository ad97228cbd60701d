import { screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import type { Phone } from '../open-app.ts';
import { openAppWithActivities, startSwimming } from '../scenes/activity-scene.ts';

const NOTE = /^This browser only sends while Sendlap is open\./;

/** A browser without Background Sync, as on an iPhone. */
function removeBackgroundSync(): void {
  const removed = Object.getOwnPropertyDescriptor(globalThis, 'SyncManager') ?? {};
  Reflect.deleteProperty(globalThis, 'SyncManager');
  onTestFinished(() => void Object.defineProperty(globalThis, 'SyncManager', removed));
}

async function openList(phone: Phone, chip: RegExp, title: string) {
  await phone.user.click(await screen.findByRole('button', { name: chip }));
  return within(await screen.findByRole('dialog', { name: title }));
}

test('with Background Sync the list promises an automatic send, and no note appears', async () => {
  const phone = await openAppWithActivities();
  await phone.server.stream.opened();
  await screen.findByRole('button', { name: 'Start swimming' });
  phone.setOnline(false);
  await startSwimming(phone);
  // The chip of the page before is gone by then, and the list that it would open.
  await screen.findByRole('timer');
  const list = await openList(phone, /^1 pending/, 'On this device');
  list.getByText("You're offline. It is sent once you have a connection.");
  expect(screen.queryByText(NOTE)).toBe(null);
});

test('without Background Sync a note says once that the app sends while it is open, when something first waits', async () => {
  removeBackgroundSync();
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await screen.findByText(/Saved on the server$/);
  await runTurns();
  expect(screen.queryByText(NOTE)).toBe(null);

  phone.setOnline(false);
  await phone.user.click(await screen.findByRole('button', { name: 'Finish' }));
  await screen.findByText(NOTE);
  const list = await openList(phone, /^1 pending/, 'On this device');
  list.getByText(/this browser can't send while it is closed\.$/);

  await phone.reload();
  await screen.findByRole('button', { name: /^1 pending/ });
  await runTurns();
  expect(screen.queryByText(NOTE)).toBe(null);
});

test('the note never covers a code, and is shown again afterwards', async () => {
  removeBackgroundSync();
  const phone = await openAppWithActivities();
  await phone.server.stream.opened();
  await startSwimming(phone);
  await screen.findByRole('button', { name: 'Finish' });
  phone.setOnline(false);
  await phone.user.click(screen.getByRole('button', { name: 'Finish' }));
  await screen.findByText(NOTE);
  await phone.user.click(await screen.findByRole('link', { name: 'Show my code' }));
  await screen.findByRole('heading', { name: 'My codes' });
  await waitFor(() => expect(screen.queryByText(NOTE)).toBe(null));
  await phone.user.click(screen.getByRole('button', { name: 'Back' }));
  await screen.findByText(NOTE);
});

test('in Spanish', async () => {
  removeBackgroundSync();
  const phone = await openAppWithActivities();
  localStorage.setItem('preferred-language', 'es');
  await phone.reload();
  await phone.server.stream.opened();
  const start = await screen.findByRole('button', { name: 'Empezar a nadar' });
  phone.setOnline(false);
  await phone.user.click(start);
  await screen.findByRole('timer');
  await screen.findByText(/^Este navegador solo envía con Sendlap abierto\./);
  const list = await openList(phone, /^1 pendiente/, 'En este dispositivo');
  await waitFor(() => list.getByText(/este navegador no envía con la app cerrada\.$/));
});
