import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { setTimeZone } from '../device/time-zone.ts';
import type { Phone } from '../open-app.ts';
import { finish, goOffline, MINUTE_MS, openAppWithActivities, startSwimming } from '../scenes/activity-scene.ts';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const OFFLINE_SINCE = '2026-11-20T09:30:00Z';

async function openOffline(now = OFFLINE_SINCE) {
  const phone = await openAppWithActivities({ now });
  await goOffline(phone);
  // A reply that was under way tells the clock's move at once.
  await phone.passTime(1_000);
  return phone;
}

async function swim(phone: Phone, minutes = 45): Promise<void> {
  await startSwimming(phone);
  await screen.findByRole('timer');
  await phone.passTime(minutes * MINUTE_MS);
  await finish(phone);
}

/** Comes back to the network; the server has the one activity then. Returns its times to the minute. */
async function comeBack(phone: Awaited<ReturnType<typeof openOffline>>): Promise<(string | undefined)[]> {
  phone.setOnline(true);
  await screen.findByText('The server has it.');
  const [only, ...others] = phone.activities.list();
  expect(others).toEqual([]);
  return [only?.started_at.slice(0, 16), only?.ended_at?.slice(0, 16)];
}

/** Enters another minute of the same hour as the start, and saves. */
async function startAt(
  { user }: Phone,
  sheet: Pick<typeof screen, 'getByLabelText' | 'getByRole'>,
  minute: string,
): Promise<void> {
  const started = sheet.getByLabelText<HTMLInputElement>('Start');
  const time = started.value.replace(/..$/, minute);
  await user.clear(started);
  await user.type(started, time);
  await user.click(sheet.getByRole('button', { name: 'Save with this time' }));
}

const RIGHT = ['2026-11-20T09:30', '2026-11-20T10:15'];

describe('a clock that was set an hour ahead at an unknown time', () => {
  /** Two hours after the last contact, before or after the swim: each is possible. */
  async function comeBackUnsure() {
    const phone = await openOffline();
    await phone.passTime(2 * HOUR_MS);
    phone.moveClock(HOUR_MS);
    await phone.reload();
    await swim(phone);
    await phone.passTime(3 * HOUR_MS);
    await phone.reload();
    phone.setOnline(true);
    await screen.findByRole('heading', { name: 'When was it?' });
    return phone;
  }

  test('sends nothing, and asks with the times that are possible; the chosen one is sent', async () => {
    const phone = await comeBackUnsure();
    expect(phone.activities.ops()).toEqual([]);
    expect(screen.queryByText(/not accepted/)).toBeNull();
    await screen.findByRole('button', { name: /^1 to decide/ });
    const card = within(screen.getByRole('alert'));
    const [first] = card.getAllByRole('button').filter(({ textContent }) => textContent?.includes('20 Nov'));
    if (first) await phone.user.click(first);
    await screen.findByText('The server has it.');
    expect(phone.activities.list()).toMatchObject([
      { started_at: expect.stringMatching(/^2026-11-20T11:30/), ended_at: expect.stringMatching(/^2026-11-20T12:15/) },
    ]);
  });

  test('takes another time, also without a network', async () => {
    const phone = await comeBackUnsure();
    phone.setOnline(false);
    await phone.user.click(screen.getByRole('button', { name: 'Another time' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'When was it really?' }));
    await startAt(phone, sheet, '45');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(await comeBack(phone)).toEqual(['2026-11-20T11:45', '2026-11-20T12:15']);
  });
});

describe.each([
  ['ahead', 3 * DAY_MS],
  ['behind', -3 * DAY_MS],
])('a clock that was set 3 days %s', (way, move_ms) => {
  test('is corrected at the next contact, and the note about it stays until it was read', async () => {
    const phone = await openOffline();
    phone.moveClock(move_ms);
    await swim(phone);
    expect(await comeBack(phone)).toEqual(RIGHT);
    const note = within(await screen.findByRole('region', { name: 'The times of 1 activity were corrected' }));
    note.getByText(`This device's clock was 3 days ${way}.`);
    await phone.reload();
    const again = within(await screen.findByRole('region', { name: 'The times of 1 activity were corrected' }));
    await phone.user.click(again.getByRole('button', { name: 'OK' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: /were corrected/ })).toBeNull());
  });
});

test('a clock that was set 3 days back while the activity ran is corrected for its end alone, over a reload', async () => {
  const phone = await openOffline();
  await startSwimming(phone);
  await screen.findByRole('timer');
  await phone.passTime(45 * MINUTE_MS);
  phone.moveClock(-3 * DAY_MS);
  await phone.reload();
  await finish(phone);
  expect(await comeBack(phone)).toEqual(RIGHT);
});

test.each([
  ['ahead', 3 * DAY_MS],
  ['back', -3 * DAY_MS],
])(
  'a clock that was set 3 days %s before the start and right again before the finish asks the athlete, and the offer is sent',
  async (_way, move_ms) => {
    const phone = await openOffline();
    phone.moveClock(move_ms);
    await phone.reload();
    await startSwimming(phone);
    await screen.findByRole('timer');
    await phone.passTime(45 * MINUTE_MS);
    phone.moveClock(-move_ms);
    await phone.reload();
    await phone.user.click(await screen.findByRole('button', { name: /^Finish/ }));
    if (move_ms < 0) {
      // It seems to run for three days, so the app asks for its end, and offers one soon after that start.
      await screen.findByLabelText('I stopped at');
      await phone.user.click(screen.getByRole('button', { name: 'Finish at this time' }));
    }
    await screen.findByRole('region', { name: 'Progress' });
    await phone.passTime(MINUTE_MS);
    await phone.reload();
    phone.setOnline(true);
    await screen.findByRole('heading', { name: 'When was it?' });
    await phone.user.click(within(screen.getByRole('alert')).getByRole('button', { name: 'Fri 20 Nov, 09:30–10:15' }));
    expect(await comeBack(phone)).toEqual(RIGHT);
  },
);

test('8 hours of sleep, another time zone and the night of the clocks change no times', async () => {
  setTimeZone('Europe/Madrid');
  // An hour before the clocks go back from 3:00 to 2:00.
  const phone = await openOffline('2026-10-25T00:00:00Z');
  await startSwimming(phone);
  await screen.findByRole('timer');
  await phone.passTime(90 * MINUTE_MS);
  setTimeZone('Asia/Tokyo');
  await phone.reload();
  expect((await screen.findByRole('timer')).textContent).toMatch(/^1:30:/);
  await finish(phone);
  await phone.passTime(8 * HOUR_MS);
  expect(await comeBack(phone)).toEqual(['2026-10-25T00:00', '2026-10-25T01:30']);
  expect(screen.queryByRole('region', { name: /corrected/ })).toBeNull();
});

test('an activity that the server refuses for its time is offered another time', async () => {
  const phone = await openOffline();
  await swim(phone);
  phone.activities.refuseOps('start', 'activity_too_old');
  phone.setOnline(true);
  await screen.findByText('This is too long ago to be added.');
  phone.activities.refuseOps('start', null);
  await phone.user.click(screen.getByRole('button', { name: 'Correct the time' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'When was it really?' }));
  sheet.getByText("This device's clock seems to have been wrong. When was it really?");
  await startAt(phone, sheet, '45');
  await screen.findByText('The server has it.');
  expect(phone.activities.list()).toMatchObject([{ started_at: '2026-11-20T09:45:00.000Z' }]);
});

test('in Spanish', async () => {
  const phone = await openOffline();
  phone.moveClock(3 * DAY_MS);
  await swim(phone);
  localStorage.setItem('preferred-language', 'es');
  await phone.reload();
  phone.setOnline(true);
  const note = within(await screen.findByRole('region', { name: 'Hemos corregido las horas de 1 actividad' }));
  note.getByText('El reloj de este dispositivo iba 3 días adelantado.');
});
