import { listActivities, syncActivities } from '@sendlap/contract/activities.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { stubMap } from '../device/stub-map.ts';
import { activityOf } from '../models/activity-model.ts';
import { POOL } from '../models/pool.ts';
import {
  AFTER_UNDO_MS,
  finish,
  goOffline,
  MINUTE_MS,
  OFFLINE,
  openAppWithActivities,
  startSwimming,
} from '../scenes/activity-scene.ts';

const findChip = (name: RegExp) => screen.findByRole('button', { name });

test('an op without a network is counted by the chip, outlives a reload and is sent when the network is back [spec 1.activities.start, 1.offline.queue, 1.offline.sync, 7.activities.start, 7.activities.sync, 2.sync-chip.pending, 2.sync-chip.syncing, 2.sync-chip.synced, 4.sync.connectivity]', async () => {
  const phone = await openAppWithActivities();
  await goOffline(phone);
  await startSwimming(phone);
  await screen.findByRole('timer');
  // A send that the lost network cut off is shown as failed for 5 s.
  await phone.passTime(5_000);
  await findChip(/^1 pending/);
  await phone.passTime(45 * MINUTE_MS);
  await phone.reload();
  expect((await screen.findByRole('timer')).textContent).toMatch(/^4[56]:/);
  await finish(phone);
  await findChip(/^2 pending/);
  await screen.findByText('Goes out as soon as there is a network.');
  const held = phone.server.hold(syncActivities);
  phone.setOnline(true);
  await waitFor(() => expect(screen.queryByText(OFFLINE)).toBeNull());
  await findChip(/^Syncing\.\.\./);
  held.release();
  await findChip(/^Synced/);
  await screen.findByText('The server has it.');
  expect(phone.activities.list().map(({ status }) => status)).toEqual(['finished']);
});

test.each(['/sport-centers', '/qr/scan'])(
  '%s has no title bar, but its chip still counts and opens the list',
  async (path) => {
    stubMap();
    const phone = await openAppWithActivities();
    await goOffline(phone);
    await startSwimming(phone);
    await screen.findByRole('timer');
    await phone.passTime(5_000);
    await phone.reload(path);
    await phone.user.click(await findChip(/^1 pending/));
    await screen.findByRole('dialog', { name: 'On this device' });
  },
);

test('with the server down the chip says so, and Retry sends the waiting work [spec 2.sync-chip.failed, 2.sync-chip.retry]', async () => {
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await screen.findByText(/Saved on the server$/);
  phone.server.setDown(true);
  await phone.user.click(await screen.findByRole('button', { name: 'Finish' }));
  await screen.findByText('Goes out by itself in a moment.');
  await phone.passTime(AFTER_UNDO_MS);
  await findChip(/^Sync failed/);
  // Stops the app's own retry, so that only the button can send.
  phone.holdTime();
  phone.server.setDown(false);
  await phone.user.click(screen.getByRole('button', { name: 'Retry' }));
  await findChip(/^Synced/);
  await screen.findByText('The server has it.');
});

test('an activity that overlaps one of another phone is offered the free time', async () => {
  const phone = await openAppWithActivities({ now: '2026-11-20T09:30:00Z' });
  await goOffline(phone);
  await startSwimming(phone);
  await screen.findByRole('timer');
  await phone.passTime(75 * MINUTE_MS + 30_000);
  await finish(phone);
  // The other phone swam from 10:00 to 10:45, and its activity came first.
  phone.activities.add(activityOf(7, POOL));
  phone.activities.refuseOps('finish', 'activity_overlap');
  const list = phone.server.hold(listActivities);
  phone.setOnline(true);
  const refusal = within(await screen.findByRole('alert'));
  await phone.user.click(await refusal.findByRole('button', { name: 'Correct the time' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'When was it really?' }));
  // The free time is known only once the other activity is.
  const save = sheet.getByRole('button', { name: 'Save with this time' });
  expect(save).toHaveProperty('disabled', true);
  list.release();
  await sheet.findByText(/^Swimming at La Cebada/);
  expect(save).toHaveProperty('disabled', false);
  phone.activities.refuseOps('finish', null);
  await phone.user.click(save);
  await screen.findByText('The server has it.');
  await screen.findByText(/^(29|30) mins?/);
  const [own] = phone.activities.list().filter(({ started_at }) => started_at < '2026-11-20T10');
  expect(own).toMatchObject({ status: 'finished', ended_at: '2026-11-20T10:00:00.000Z' });
});
