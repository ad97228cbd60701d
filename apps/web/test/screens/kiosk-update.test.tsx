import { screen } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { installFakeWorker } from '../device/fake-worker.ts';
import { openApp, type Phone } from '../open-app.ts';

const MINUTE_MS = 60_000;
/** The longest leap in which the device's clock runs every timer. */
const AWAKE_MS = 10_000;

/** Lets a minute pass on a tablet that never sleeps: each of its timers runs when it is due. */
async function passMinute({ passTime }: Phone): Promise<void> {
  for (let passed_ms = 0; passed_ms < MINUTE_MS; passed_ms += AWAKE_MS) await passTime(AWAKE_MS);
}

test('a kiosk checks for a new version, and loads it without a question once no one uses the tablet', async () => {
  const worker = installFakeWorker();
  const phone = await openApp({ as: null, path: '/kiosk/set-up', now: '2026-11-20T10:00:00Z' });
  await screen.findByRole('heading', { name: 'Set up this tablet' });
  worker.offer();
  await passMinute(phone);
  expect(worker.has_waiting()).toBe(false);

  await phone.passTime(60 * MINUTE_MS);
  await phone.user.keyboard('{Shift}');
  await passMinute(phone);
  expect(worker.has_waiting()).toBe(true);
  expect(phone.departures.list).toEqual([]);

  await passMinute(phone);
  await passMinute(phone);
  await vi.waitFor(() => expect(phone.departures.list).toEqual(['reload']));
  expect(worker.has_waiting()).toBe(false);
});
