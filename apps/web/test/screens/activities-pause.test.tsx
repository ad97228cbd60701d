import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { readStores } from '../device/browser-stores.ts';
import { activityOf } from '../models/activity-model.ts';
import { POOL } from '../models/pool.ts';
import type { Phone } from '../open-app.ts';
import {
  finish,
  goOffline,
  MINUTE_MS,
  openAppWithActivities,
  pathOf,
  startSwimming,
} from '../scenes/activity-scene.ts';

const minutesOf = (name: string) => Number(screen.getByRole('timer', { name }).textContent?.split(':')[0]);
const times = () => ({ active: minutesOf('Active time'), rest: minutesOf('Resting') });

async function press({ user }: Phone, name: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name }));
}

/** A request that is under way would measure the clock by the later time. */
async function pass(phone: Phone, minutes: number): Promise<void> {
  await runTurns();
  await phone.passTime(minutes * MINUTE_MS);
}

/** The screen may be one write ahead of the device's disk. */
async function waitUntilSaved(text: string): Promise<void> {
  await waitFor(async () => {
    const saved = (await readStores()).filter(({ place }) => place === 'database sendlap-outbox, store activities');
    expect(saved.map((row) => row.text)).toEqual([expect.stringContaining(text)]);
  });
}

async function pause(phone: Phone): Promise<void> {
  await press(phone, 'Pause');
  await screen.findByRole('button', { name: 'Resume' });
  await waitUntilSaved('"until":null');
}

/** Swims 20 minutes, rests 10 and swims on. */
async function swimWithRest(phone: Phone): Promise<void> {
  await startSwimming(phone);
  await screen.findByRole('timer');
  await pass(phone, 20);
  await pause(phone);
  await pass(phone, 10);
  await phone.reload();
  await press(phone, 'Resume');
  await screen.findByRole('button', { name: 'Pause' });
}

test('a pause outlives the app: the active time stops, the time at rest runs, and the finish subtracts it', async () => {
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await screen.findByRole('timer', { name: 'Time so far' });
  await screen.findByText(/Saved on the server$/);
  expect(screen.queryByText('Paused')).toBeNull();
  expect(screen.queryByRole('timer', { name: 'Resting' })).toBeNull();
  await pass(phone, 20);
  await pause(phone);
  expect((await screen.findByText('Paused')).closest('[role=status]')).not.toBeNull();
  await pass(phone, 10);
  await waitFor(() => expect(times()).toEqual({ active: 20, rest: 10 }));
  await phone.reload();
  await screen.findByText('Paused');
  await phone.server.stream.opened();
  await pass(phone, 5);
  await waitFor(() => expect(times()).toEqual({ active: 20, rest: 15 }));
  await press(phone, 'Resume');
  await screen.findByRole('button', { name: 'Pause' });
  expect(screen.queryByText('Paused')).toBeNull();
  await pass(phone, 10);
  await waitFor(() => expect(times()).toEqual({ active: 30, rest: 15 }));
  await finish(phone);
  await screen.findByText(/^30 mins · 1[56] mins paused/);
  await screen.findByText('The server has it.');
  const [{ paused_s = 0 } = {}] = phone.activities.list();
  expect(Math.round(paused_s / 60)).toBe(15);
});

test('an athlete without a network pauses, resumes and finishes; the pause is sent later', async () => {
  const phone = await openAppWithActivities();
  await goOffline(phone);
  await swimWithRest(phone);
  await pass(phone, 10);
  await finish(phone);
  expect(phone.activities.list()).toEqual([]);
  phone.setOnline(true);
  await screen.findByText('The server has it.');
  const [{ paused_s = 0 } = {}] = phone.activities.list();
  expect(Math.round(paused_s / 60)).toBe(10);
});

const HOUR_MS = 60 * MINUTE_MS;
describe.each([
  // A clock that is days ahead makes the app ask when the athlete stopped.
  ['an hour ahead', HOUR_MS],
  ['three days back', -72 * HOUR_MS],
])('a phone whose clock is set %s during the pause', (_way, move_ms) => {
  test('sends the true pause, once it has a network again', async () => {
    const phone = await openAppWithActivities();
    await goOffline(phone);
    // A reply that was under way tells the clock's move at once.
    await phone.passTime(1_000);
    await startSwimming(phone);
    await screen.findByRole('timer');
    await pass(phone, 20);
    await pause(phone);
    await pass(phone, 5);
    phone.moveClock(move_ms);
    await pass(phone, 5);
    await press(phone, 'Resume');
    await screen.findByRole('button', { name: 'Pause' });
    await pass(phone, 10);
    await press(phone, 'Finish');
    phone.setOnline(true);
    await waitFor(() => expect(phone.activities.list()).toHaveLength(1));
    await waitFor(() => expect(phone.activities.list()[0]?.status).toBe('finished'));
    const [{ paused_s = 0 } = {}] = phone.activities.list();
    expect(Math.round(paused_s / 60)).toBe(10);
  });
});

test('a finish during the pause ends both; taken back, the activity is paused again', async () => {
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await screen.findByText(/Saved on the server$/);
  await pass(phone, 20);
  await pause(phone);
  await pass(phone, 10);
  await press(phone, 'Finish');
  await press(phone, 'Undo');
  await screen.findByRole('button', { name: 'Resume' });
  await waitFor(() => expect(times()).toEqual({ active: 20, rest: 10 }));
  await finish(phone);
  await screen.findByText('The server has it.');
  const [{ status, paused_s = 0 } = {}] = phone.activities.list();
  expect([status, Math.round(paused_s / 60)]).toEqual(['finished', 10]);
});

test('home shows the pause, and resumes in one tap', async () => {
  const running = activityOf(1, POOL, { status: 'active', ended_at: null, score: null });
  const phone = await openAppWithActivities({ path: '/dashboard', now: '2026-11-20T10:10:00Z', first: [running] });
  await screen.findByText('Running now');
  await pause(phone);
  await screen.findByText('Paused');
  await phone.reload(pathOf(running));
  await screen.findByText('Paused');
  await phone.reload('/dashboard');
  await press(phone, 'Resume');
  await screen.findByText('Running now');
});

test('a pause that the athlete forgot is corrected, in minutes; one that does not fit is refused in place', async () => {
  const swim = activityOf(1, POOL, { paused_s: 1500 });
  const phone = await openAppWithActivities({ path: pathOf(swim), first: [swim] });
  await screen.findByText(/^20 mins · 25 mins paused/);
  await press(phone, 'Correct');
  const sheet = within(await screen.findByRole('dialog', { name: 'Correct this activity' }));
  const field = sheet.getByLabelText<HTMLInputElement>('Pauses in minutes');
  expect(field.value).toBe('25');
  await phone.user.clear(field);
  await phone.user.type(field, '46');
  await sheet.findByText('Whole minutes, no more than the activity lasted.');
  await phone.user.clear(field);
  await phone.user.type(field, '5');
  await phone.user.click(sheet.getByRole('button', { name: 'Save the correction' }));
  await screen.findByText(/^40 mins · 5 mins paused/);
  await waitFor(() => expect(phone.activities.list()).toMatchObject([{ paused_s: 300 }]));
});

test('in Spanish', async () => {
  const running = activityOf(1, POOL, { status: 'active', ended_at: null, score: null });
  const now = '2026-11-20T10:10:00Z';
  const phone = await openAppWithActivities({ path: pathOf(running), now, first: [running], language: 'es' });
  await press(phone, 'Pausar');
  await screen.findByText('En pausa');
  await screen.findByRole('timer', { name: 'Tiempo activo' });
  await screen.findByRole('timer', { name: 'Descanso' });
  await press(phone, 'Reanudar');
  await screen.findByRole('button', { name: 'Pausar' });
});
