import { screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { finish, MINUTE_MS, openAppWithActivities, startSwimming } from '../scenes/activity-scene.ts';

const DAY_MS = 86_400_000;
const query = () => screen.queryByRole('region', { name: 'Still not sent' });

async function swimOffline() {
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

test('D: a warning acknowledged while the clock was a month ahead returns at the right time', async () => {
  const phone = await swimOffline();
  localStorage.setItem('unsent-warned-at', String(Date.parse('2026-12-20T10:00:00Z')));
  await phone.passTime(4 * DAY_MS);
  await phone.reload('/');
  await screen.findByRole('button', { name: /^2 pending/ });
  await runTurns();
  expect(query()).not.toBe(null);
});

test('D0 (control): the same without that entry warns', async () => {
  const phone = await swimOffline();
  await phone.passTime(4 * DAY_MS);
  await phone.reload('/');
  await screen.findByRole('button', { name: /^2 pending/ });
  await runTurns();
  expect(query()).not.toBe(null);
});

for (const status of [200, 502]) {
  test(`E: behind a portal (${status}) with a reported network the warning stays for a minute`, async () => {
    const phone = await swimOffline();
    await phone.passTime(4 * DAY_MS);
    (phone.server as any).setPortal(status);
    phone.setOnline(true);
    await phone.reload('/');
    await screen.findByRole('button', { name: /pending|Sync failed|not sent/i });
    const seen: boolean[] = [];
    for (let s = 0; s < 60; s += 2) {
      await phone.passTime(2_000);
      await runTurns();
      seen.push(query() !== null);
    }
    console.log(status, seen.map((x) => (x ? 'W' : '.')).join(''));
    expect(seen.slice(-10)).toEqual(Array(10).fill(true));
  });
}
