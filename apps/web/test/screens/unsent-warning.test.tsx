import { screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import type { Phone } from '../open-app.ts';
import { finish, MINUTE_MS, openAppWithActivities, startSwimming } from '../scenes/activity-scene.ts';

const DAY_MS = 86_400_000;
const TITLE = 'Still not sent';
const findWarning = async () => within(await screen.findByRole('region', { name: TITLE }));
const queryWarning = () => screen.queryByRole('region', { name: TITLE });

/** Swims on Friday 20 November without a network, and closes the app. */
async function swimOffline(): Promise<Phone> {
  const phone = await openAppWithActivities({ now: '2026-11-20T10:00:00Z' });
  await screen.findByRole('button', { name: 'Start swimming' });
  await phone.server.stream.opened();
  phone.setOnline(false);
  await startSwimming(phone);
  await screen.findByRole('timer');
  await phone.passTime(45 * MINUTE_MS);
  await finish(phone);
  return phone;
}

test('unsent work of three days is shown once a day, with its day and its list, until it is sent', async () => {
  const phone = await swimOffline();
  await phone.passTime(2 * DAY_MS);
  await phone.reload('/');
  await screen.findByRole('button', { name: /^2 pending/ });
  await runTurns();
  expect(queryWarning()).toBe(null);

  await phone.passTime(DAY_MS);
  await phone.reload('/');
  const warning = await findWarning();
  warning.getByText(/^What you did on Fri 20 Nov is only on this device\./);
  expect(warning.queryByText(/Safari/)).toBe(null);
  await phone.user.click(warning.getByRole('button', { name: 'See the list' }));
  await screen.findByRole('dialog', { name: 'On this device' });
  await phone.user.keyboard('{Escape}');
  await phone.reload('/');
  await screen.findByRole('button', { name: /^2 pending/ });
  await runTurns();
  expect(queryWarning()).toBe(null);

  await phone.passTime(DAY_MS);
  await phone.reload('/');
  await findWarning();
  phone.setOnline(true);
  await screen.findByRole('button', { name: /^Synced/ });
  await waitFor(() => expect(queryWarning()).toBe(null));
});

test('the warning returns on time although the clock was a month ahead when it was read', async () => {
  const phone = await swimOffline();
  await phone.passTime(3 * DAY_MS);
  localStorage.setItem('unsent-warned-at', String(Date.parse('2026-12-20T10:00:00Z')));
  await phone.reload('/');
  await findWarning();
});

test.each([200, 502])('behind a network that answers %i in place of the server the warning stays', async (status) => {
  const phone = await swimOffline();
  await phone.passTime(3 * DAY_MS);
  phone.server.setPortal(status);
  phone.setOnline(true);
  await phone.reload('/');
  await findWarning();
  for (let seconds = 0; seconds < 60; seconds += 10) {
    await phone.passTime(10_000);
    await runTurns();
    expect(queryWarning()).not.toBe(null);
  }
});

test('Safari, which deletes the storage of websites, is named where the app is not installed', async () => {
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1';
  Object.defineProperty(navigator, 'userAgent', { value: userAgent, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'userAgent'));
  const phone = await swimOffline();
  await phone.passTime(3 * DAY_MS);
  await phone.reload('/');
  (await findWarning()).getByText(/^Safari may delete/);
});

test('the browser is asked to keep the storage at the first step without a network, once', async () => {
  const persist = vi.fn(() => Promise.resolve(false));
  Object.defineProperty(navigator, 'storage', { value: { persist }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'storage'));
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await screen.findByText(/Saved on the server$/);
  phone.setOnline(false);
  await runTurns();
  expect(persist).not.toHaveBeenCalled();
  await finish(phone);
  await waitFor(() => expect(persist).toHaveBeenCalledTimes(1));
  await phone.reload('/');
  await screen.findByRole('button', { name: /^1 pending/ });
  await runTurns();
  expect(persist).toHaveBeenCalledTimes(1);
});

test.each(['unreachable', 'portal'])('the browser is asked to keep unsent steps: %s', async (network) => {
  const persist = vi.fn(() => Promise.resolve(false));
  Object.defineProperty(navigator, 'storage', { value: { persist }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'storage'));
  const phone = await openAppWithActivities();
  await screen.findByRole('button', { name: 'Start swimming' });
  await phone.server.stream.opened();
  if (network === 'portal') phone.server.setPortal(200);
  else phone.server.setDown(true);
  await startSwimming(phone);
  await screen.findByRole('timer');
  await waitFor(() => expect(persist).toHaveBeenCalledTimes(1));
});
