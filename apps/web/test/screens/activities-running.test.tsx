import { type Activity, listActivities } from '@sendlap/contract/activities.ts';
import { registerDevice } from '@sendlap/contract/devices.ts';
import { screen, waitFor } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { readStores } from '../device/browser-stores.ts';
import { keepBusy } from '../device/busy-database.ts';
import { readCopies, restoreCopy } from '../device/copies.ts';
import { setVisible } from '../device/device.ts';
import { activityOf } from '../models/activity-model.ts';
import { POOL } from '../models/pool.ts';
import type { Phone } from '../open-app.ts';
import {
  finish,
  MINUTE_MS,
  main,
  OFFLINE,
  openAppWithActivities,
  pathOf,
  startSwimming,
} from '../scenes/activity-scene.ts';
import { useScreenReader } from '../scenes/screen-reader.ts';

async function countLengths({ user }: Phone): Promise<void> {
  const add = await screen.findByRole('button', { name: 'Add a length' });
  for (let length = 0; length < 5; length += 1) await user.click(add);
  await screen.findByText('125 m');
  await user.click(screen.getByRole('button', { name: /Take one back$/ }));
  await screen.findByText('100 m');
}

/** The screen may be one write ahead of the device's disk. */
async function waitUntilSaved(text: string): Promise<void> {
  await waitFor(async () => {
    const saved = (await readStores()).filter(({ place }) => place === 'database sendlap-outbox, store activities');
    expect(saved.map((row) => row.text)).toEqual([expect.stringContaining(text)]);
  });
}

test('lengths outlive a reload and can be taken back, and are the distance of the finished swim', async () => {
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await countLengths(phone);
  await waitUntilSaved('"lengths":4');
  await phone.reload();
  await screen.findByText('100 m');
  await screen.findByText(/per 100 m$/);
  await phone.passTime(20 * MINUTE_MS);
  await finish(phone);
  await screen.findByText(/100 m$/);
  await screen.findByText('The server has it.');
  expect(phone.activities.list().map(({ distance_m }) => distance_m)).toEqual([100]);
});

test('a screen reader says each length once, and not the pace that changes every second', async () => {
  const phone = await openAppWithActivities();
  const reader = useScreenReader(phone);
  await startSwimming(phone);
  await phone.user.click(await screen.findByRole('button', { name: 'Add a length' }));
  await reader.hears(/^25 m$/m);
  await reader.hears(/^1 length$/m);
  const pace = (await screen.findByText(/per 100 m$/)).textContent;
  await phone.passTime(MINUTE_MS);
  await waitFor(() => expect(screen.getByText(/per 100 m$/).textContent).not.toBe(pace));
  expect(reader.heard().filter((text) => /length|per 100 m/.test(text))).toEqual(['0 lengths', '1 length']);
});

test('an activity that starts on a busy phone gets the key of its code at once: the signal may be gone when it ends', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('requestIdleCallback', () => 0);
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await waitFor(() => expect(phone.server.asked(registerDevice)).toHaveLength(1));
  phone.setOnline(false);
  await phone.passTime(20 * MINUTE_MS);
  await finish(phone);
  await phone.user.click(await screen.findByRole('link', { name: 'Show my code' }));
  await screen.findByRole('img', { name: /^QR code/ });
});

test('an activity that was forgotten asks when it ended', async () => {
  const phone = await openAppWithActivities({ now: '2026-11-20T08:00:00Z' });
  await startSwimming(phone);
  await countLengths(phone);
  await screen.findByText(/Saved on the server$/);
  expect(screen.queryByRole('button', { name: 'When did you stop?' })).toBeNull();
  setVisible(false);
  await phone.passTime(5 * 60 * MINUTE_MS);
  setVisible(true);
  await phone.user.click(await screen.findByRole('button', { name: 'When did you stop?' }));
  await phone.user.click(await screen.findByRole('button', { name: 'Finish at this time' }));
  expect((await screen.findByText(/100 m$/)).textContent).toMatch(/1 hr 30 min/);
});

test('an athlete who finishes and closes the app at once has finished on the server too', async () => {
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await screen.findByText(/Saved on the server$/);
  await phone.user.click(await screen.findByRole('button', { name: 'Finish' }));
  // No time passes, so the Undo is still offered.
  await waitFor(() => expect(phone.activities.list().map(({ status }) => status)).toEqual(['finished']));
  await screen.findByRole('button', { name: 'Undo' });
});

test('after the time to undo the line of the finish stays without its button, so that nothing below it moves', async () => {
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await phone.passTime(20 * MINUTE_MS);
  await finish(phone);
  await screen.findByText(/^Finished after 20:/);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  await phone.reload();
  await screen.findByRole('link', { name: 'Show my code' });
  expect(screen.queryByText(/^Finished after/)).toBeNull();
});

test('a finish taken back runs on, here and on the server, and is finished once more', async () => {
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await phone.passTime(20 * MINUTE_MS);
  await phone.user.click(await screen.findByRole('button', { name: 'Finish' }));
  await waitFor(() => expect(phone.activities.list().map(({ status }) => status)).toEqual(['finished']));
  await phone.user.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByRole('timer');
  await waitFor(() => expect(phone.activities.list().map(({ status }) => status)).toEqual(['active']));
  await screen.findByText(/Saved on the server$/);
  await phone.passTime(20 * MINUTE_MS);
  await finish(phone);
  await screen.findByText('The server has it.');
  expect(phone.activities.list().map(({ status }) => status)).toEqual(['finished']);
});

test('a finish that a referee confirmed before it was taken back stays, and the athlete reads so', async () => {
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await phone.user.click(await screen.findByRole('button', { name: 'Finish' }));
  await waitFor(() => expect(phone.activities.list().map(({ status }) => status)).toEqual(['finished']));
  phone.activities.refuseOps('reopen', 'activity_already_validated');
  await phone.user.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByRole('button', { name: /^1 not accepted/ });
});

test('a swimmer is not asked how hard it is, neither before the start nor while it runs', async () => {
  const phone = await openAppWithActivities();
  const asked = () => screen.queryByRole('radio', { name: 'Hard' });
  await screen.findByRole('button', { name: 'Start swimming' });
  expect(asked()).toBeNull();
  await startSwimming(phone);
  await screen.findByRole('button', { name: 'Add a length' });
  expect(asked()).toBeNull();
});

test('a climber is asked while the activity runs, and the answer goes out with the finish', async () => {
  const climb = activityOf(1, POOL, { sport_type: 'climbing', status: 'active', ended_at: null, score: null });
  const path = pathOf(climb);
  const phone = await openAppWithActivities({ path, now: '2026-11-20T10:10:00Z', first: [climb] });
  await phone.user.click(await screen.findByRole('radio', { name: 'Hard' }));
  await finish(phone);
  expect(phone.activities.list().map(({ intensity }) => intensity)).toEqual(['hard']);
});

test('a swim that was finished without a network is never said to run, however late the phone reads its own work', async () => {
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await screen.findByText(/Saved on the server$/);
  await phone.passTime(20 * MINUTE_MS);
  phone.setOnline(false);
  await screen.findByText(OFFLINE);
  await finish(phone);
  const endWork = await keepBusy('sendlap-outbox', 'activities');
  await phone.reload(`/sport-centers/${POOL.id}`);
  await screen.findByRole('heading', { level: 1, name: POOL.name });
  await runTurns();
  const shown = [
    screen.queryByRole('link', { name: /^An activity is already running/ }),
    main().queryByRole('button', { name: /^Start/ }),
  ];
  await endWork();
  expect(shown).toEqual([null, null]);
  await screen.findByRole('button', { name: 'Start swimming' });
});

test('a swim whose finish the server has stays finished, although the phone died before it could copy the answer', async () => {
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await waitFor(async () => expect(await readCopies('activities')).toHaveLength(1));
  const [running] = await readCopies('activities');
  await finish(phone);
  await waitFor(async () => expect(await readCopies('activities')).not.toEqual([running]));
  await restoreCopy('activities', running);
  phone.setOnline(false);
  await phone.reload();
  expect(await screen.findByRole('region', { name: 'Progress' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Finish' })).toBe(null);
});

test('an event of the start that the stream sends again after a break makes no finished swim run; one undone elsewhere runs', async () => {
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await waitFor(async () => expect(await readCopies('activities')).toHaveLength(1));
  const [running] = await readCopies<{ value: Activity }>('activities');
  if (!running) throw new Error('no copy of the running activity');
  await finish(phone);
  await screen.findByRole('region', { name: 'Progress' });
  const { value } = running;
  phone.server.fail(listActivities);
  phone.server.tell({ type: 'activity_changed', activity: value });
  await runTurns();
  expect(screen.queryByRole('button', { name: 'Finish' })).toBe(null);
  phone.server.heal(listActivities);
  phone.activities.changeAndNotify(value.client_id, { status: 'active', ended_at: null });
  expect(await screen.findByRole('button', { name: 'Finish' })).toBeDefined();
});
