import { getBioInfo } from '@sendlap/contract/bio-info.ts';
import { screen, within } from '@testing-library/dom';
import { describe, expect, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { stopTimersOf } from '../device/device-clock.ts';
import { AccountModel, BODY } from '../models/account-model.ts';
import { IN_WEEK } from '../models/board-model.ts';
import { openApp, type Phone } from '../open-app.ts';
import { NORA } from '../people.ts';
import { ages, bodySection, COPY_SCREENS, type CopyScreen, openFullApp } from '../scenes/copy-screens.ts';

/** After this time the app gives a request up. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Younger data has no age while the server is only slow. */
const NO_LONGER_FRESH_MS = 120_000;
/** After this time without an answer the app says how old its data are. */
const SLOW_MS = 1_000;
const HOUR_MS = 3_600_000;

/** Opens a screen with all its data. */
async function openScreen(one: CopyScreen): Promise<Phone> {
  const phone = await openFullApp(one.path ?? one.route);
  await one.open?.(phone);
  await vi.waitFor(one.get);
  await runTurns();
  expect(ages(one)).toEqual([]);
  return phone;
}

/** Loads the screen two minutes later, from the phone alone. */
async function reopen(phone: Phone, one: CopyScreen): Promise<void> {
  await phone.passTime(NO_LONGER_FRESH_MS);
  await phone.reload(one.path ?? one.route);
  await one.open?.(phone);
  await vi.waitFor(one.get);
}

async function expectAge(one: CopyScreen): Promise<void> {
  await vi.waitFor(() => expect(ages(one)).not.toEqual([]));
  one.get();
}

describe.each(COPY_SCREENS)('$name', (one) => {
  test('shows the copies of the phone without a network, with their age; and while the server does not answer, after a second with their age, until the answer, also if it comes after 30 seconds, when the app has cancelled the requests', async () => {
    const phone = await openScreen(one);
    phone.setOnline(false);
    await reopen(phone, one);
    await expectAge(one);
    phone.setOnline(true);
    await vi.waitFor(() => expect(ages(one)).toEqual([]));
    one.get();

    const answer = phone.server.hang();
    await reopen(phone, one);
    await phone.passTime(SLOW_MS);
    await expectAge(one);
    answer();
    await vi.waitFor(() => expect(ages(one)).toEqual([]));
    one.get();

    const recover = phone.server.hang();
    await reopen(phone, one);
    for (const _third of [1, 2, 3]) await phone.passTime(REQUEST_TIMEOUT_MS);
    await runTurns();
    await expectAge(one);
    recover();
    await vi.waitFor(async () => {
      await phone.passTime(REQUEST_TIMEOUT_MS);
      await runTurns();
      expect(ages(one)).toEqual([]);
    });
    one.get();
  });

  test('does not wait for the second after which the server counts as silent', async () => {
    stopTimersOf(REQUEST_TIMEOUT_MS);
    stopTimersOf(SLOW_MS);
    const phone = await openScreen(one);
    phone.server.hang();
    await reopen(phone, one);
    expect(ages(one)).toEqual([]);
  });
});

test('a list that has just been read shows its own age when the network goes, not the age of the copy before it', async () => {
  stopTimersOf(REQUEST_TIMEOUT_MS);
  const phone = await openFullApp('/profile/devices');
  await screen.findByText(/Chrome on Android/);
  await runTurns();
  await phone.passTime(5 * HOUR_MS);
  await phone.reload();
  await screen.findByText(/Chrome on Android/);
  await runTurns();
  phone.setOnline(false);
  await screen.findByText("You're offline. Last updated: now.");
});

test('body data that this phone never had is shown as missing, not as failed, and comes with the network', async () => {
  const phone = await openApp({
    path: '/about',
    now: IN_WEEK,
    prepare: (server) => {
      new AccountModel(server, NORA, BODY);
      server.fail(getBioInfo);
    },
  });
  await screen.findByRole('heading', { level: 1 });
  await runTurns();
  phone.setOnline(false);
  await phone.reload('/profile');
  await screen.findByRole('heading', { name: 'Body data' });
  await phone.passTime(5_000);
  const section = within(bodySection());
  await section.findByText("Your body data isn't on this device yet. It comes with the next connection.");
  expect(section.queryByRole('alert')).toBe(null);
  phone.server.heal(getBioInfo);
  phone.setOnline(true);
  await section.findByText('61.5 kg');
});
