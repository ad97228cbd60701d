import { screen } from '@testing-library/dom';
import { describe, expect, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { stopTimersOf } from '../device/device-clock.ts';
import { ages, COPY_SCREENS, openFullApp } from '../scenes/copy-screens.ts';

/** After this time the app gives a request up; here it must not wait for that. */
const REQUEST_TIMEOUT_MS = 10_000;
/** After this time without an answer the app says how old its data are. */
const SLOW_MS = 1_000;
const TWO_DAYS_MS = 48 * 3_600_000;

/** Messages are stored once, for good, and so is the list of their chats. An appeal is over after 24 hours. */
const OTHERS = ['a chat', 'the list of chats', 'the list of appeals'];

function isShown(get: () => unknown): boolean {
  try {
    get();
    return true;
  } catch {
    return false;
  }
}

describe.each(COPY_SCREENS.filter(({ name }) => !OTHERS.includes(name)))('$name', (one) => {
  test('past its 24 hours is not shown while the server may still answer, and without a network with its age [spec 9.cache.profile, 9.cache.bio-info]', async () => {
    stopTimersOf(REQUEST_TIMEOUT_MS);
    stopTimersOf(SLOW_MS);
    const phone = await openFullApp(one.path ?? one.route);
    await one.open?.(phone);
    await vi.waitFor(one.get);
    await runTurns();
    phone.server.hang();
    await phone.passTime(TWO_DAYS_MS);
    await phone.reload(one.path ?? one.route);
    await screen.findByRole('heading', { level: 1 });
    await one.open?.(phone);
    await runTurns();
    expect(isShown(one.get)).toBe(false);
    phone.setOnline(false);
    await vi.waitFor(one.get);
    await vi.waitFor(() => expect(ages(one)).not.toEqual([]));
  });
});
