import { refresh } from '@sendlap/contract/auth.ts';
import { getPushSubscription } from '@sendlap/contract/push-subscriptions.ts';
import { screen } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { installPushBrowser } from '../device/push-browser.ts';
import { tokensOf } from '../models/signed-in.ts';
import { NORA } from '../people.ts';
import { findNotifications, openNotifications } from '../scenes/notifications-card.ts';
import { answerProvider, signInByProvider } from '../scenes/provider.ts';

const DEVICE = { name: 'On this device' };

async function findDeviceSwitch(): Promise<HTMLInputElement> {
  const device = await (await findNotifications()).findByRole<HTMLInputElement>('switch', DEVICE);
  await vi.waitFor(() => expect(device.disabled).toBe(false));
  return device;
}

test('notifications continue after signing in again without having signed out', async () => {
  const browser = installPushBrowser();
  const phone = await openNotifications({
    prepare: (server) => server.on(refresh, () => tokensOf(NORA, 'first session')),
  });
  const device = await findDeviceSwitch();
  await phone.user.click(device);
  const subscription = { endpoint: 'https://push.test/1', language: 'en' };
  await vi.waitFor(() => expect(phone.pushes.list()).toEqual([{ ...subscription, session_id: 'first session' }]));
  await phone.reload('/login');
  answerProvider(phone.server, NORA, 'second session');
  await signInByProvider(phone);
  await screen.findByRole('heading', { level: 1, name: 'Hi, Nora' });
  await vi.waitFor(() => expect(phone.pushes.list()).toEqual([{ ...subscription, session_id: 'second session' }]));
  expect(browser.isSubscribed()).toBe(true);
});

test('a switch that the browser did not allow goes back, and the card says why', async () => {
  const browser = installPushBrowser({ answer: 'default' });
  const phone = await openNotifications();
  const device = await findDeviceSwitch();
  await phone.user.click(device);
  const alert = await (await findNotifications()).findByRole('alert');
  expect(alert.textContent).toContain('Not switched on');
  expect(device.checked).toBe(false);
  expect(browser.isSubscribed()).toBe(false);
});

test('a browser that newer ones have replaced reads so at its switch, and can take its slot back', async () => {
  const browser = installPushBrowser();
  const phone = await openNotifications();
  const { user, server, pushes } = phone;
  await user.click(await findDeviceSwitch());
  await vi.waitFor(() => expect(pushes.list()).toHaveLength(1));
  // This visit checks the subscription too: wait for it, or the next visit could reuse an answer from before the
  // removal.
  await vi.waitFor(() => expect(server.asked(getPushSubscription)).toHaveLength(1));
  pushes.replaceAll();
  await user.click(screen.getByRole('link', { name: 'Home' }));
  await screen.findByRole('heading', { level: 1, name: 'Hi, Nora' });
  await user.click(screen.getByRole('link', { name: 'Profile' }));
  const card = await findNotifications();
  expect((await card.findByRole('alert')).textContent).toContain('only the last 10 devices');
  const device = await findDeviceSwitch();
  expect(device.checked).toBe(false);
  expect(browser.isSubscribed()).toBe(false);
  await user.click(device);
  await vi.waitFor(() => expect(pushes.list()).toHaveLength(1));
  await vi.waitFor(() => expect(device.getAttribute('aria-busy')).toBeNull());
  expect(device.checked).toBe(true);
  expect(card.queryByRole('alert')).toBeNull();
  expect(browser.isSubscribed()).toBe(true);
});

test.each([
  { language: 'en', name: 'On this device', says: /^Your browser blocks notifications/ },
  { language: 'es', name: 'En este dispositivo', says: /bloquea las notificaciones/ },
] as const)('a browser that blocks notifications shows how to allow them, in $language', async (look) => {
  installPushBrowser({ permission: 'denied' });
  await openNotifications({ language: look.language });
  const card = await findNotifications();
  await card.findByText(look.says);
  expect(card.getByRole('switch', { name: look.name })).toHaveProperty('disabled', true);
});
