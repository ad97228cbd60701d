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
const TWO_DAYS_MS = 48 * HOUR_MS;

/** What one load shows: the screens of one address, or a part that is opened. */
const LOADS = [...Map.groupBy(COPY_SCREENS, (one) => one.open ?? one.path ?? one.route).values()].map((screens) => ({
  name: screens.map(({ name }) => name).join(', '),
  screens,
}));

const addressOf = ([first]: CopyScreen[]) => first?.path ?? first?.route ?? '';

async function openPart(phone: Phone, [first]: CopyScreen[]): Promise<void> {
  await first?.open?.(phone);
}

/** Opens screens with all their data. */
async function openScreens(screens: CopyScreen[]): Promise<Phone> {
  const phone = await openFullApp(addressOf(screens));
  await openPart(phone, screens);
  await expectShown(screens);
  await runTurns();
  expectNoAge(screens);
  return phone;
}

/** Loads the screens two minutes later, from the phone alone. */
async function reopen(phone: Phone, screens: CopyScreen[]): Promise<void> {
  await phone.passTime(NO_LONGER_FRESH_MS);
  await phone.reload(addressOf(screens));
  await openPart(phone, screens);
  await expectShown(screens);
}

async function expectShown(screens: CopyScreen[]): Promise<void> {
  for (const { get } of screens) await vi.waitFor(get);
}

async function expectAges(screens: CopyScreen[]): Promise<void> {
  for (const one of screens) {
    await vi.waitFor(() => expect(ages(one), one.name).not.toEqual([]));
    one.get();
  }
}

function expectNoAge(screens: CopyScreen[]): void {
  for (const one of screens) expect(ages(one), one.name).toEqual([]);
}

function isShown({ get }: CopyScreen): boolean {
  try {
    get();
    return true;
  } catch {
    return false;
  }
}

describe.each(LOADS)('$name', ({ screens }) => {
  test('shows the copies of the phone without a network, with their age; and while the server does not answer, after a second with their age, until the answer, also if it comes after 30 seconds, when the app has cancelled the requests', async () => {
    const phone = await openScreens(screens);
    phone.setOnline(false);
    await reopen(phone, screens);
    await expectAges(screens);
    phone.setOnline(true);
    await vi.waitFor(() => expectNoAge(screens));
    for (const { get } of screens) get();

    const answer = phone.server.hang();
    await reopen(phone, screens);
    await phone.passTime(SLOW_MS);
    await expectAges(screens);
    answer();
    await vi.waitFor(() => expectNoAge(screens));
    for (const { get } of screens) get();

    const recover = phone.server.hang();
    await reopen(phone, screens);
    for (const _third of [1, 2, 3]) await phone.passTime(REQUEST_TIMEOUT_MS);
    await runTurns();
    await expectAges(screens);
    recover();
    await vi.waitFor(async () => {
      await phone.passTime(REQUEST_TIMEOUT_MS);
      await runTurns();
      expectNoAge(screens);
    });
    for (const { get } of screens) get();
  });

  test('does not wait for the second after which the server counts as silent; past their 24 hours copies are not shown while the server may still answer, and without a network with their age [spec 9.cache.profile, 9.cache.bio-info]', async () => {
    stopTimersOf(REQUEST_TIMEOUT_MS);
    stopTimersOf(SLOW_MS);
    const phone = await openScreens(screens);
    phone.server.hang();
    await reopen(phone, screens);
    expectNoAge(screens);

    await phone.passTime(TWO_DAYS_MS);
    await phone.reload(addressOf(screens));
    await screen.findByRole('heading', { level: 1 });
    await openPart(phone, screens);
    await runTurns();
    const expired = screens.filter(({ is_kept = false }) => !is_kept);
    for (const one of expired) expect(isShown(one), one.name).toBe(false);
    phone.setOnline(false);
    await expectShown(expired);
    await expectAges(expired);
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
