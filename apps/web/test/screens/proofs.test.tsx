import { type OpResult, syncActivities } from '@sendlap/contract/activities.ts';
import { listMyRefereeRights, type RefereeRight } from '@sendlap/contract/referees.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { findTraces, readStores } from '../device/browser-stores.ts';
import { activityOf } from '../models/activity-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp, type Phone } from '../open-app.ts';
import { athlete } from '../people.ts';
import { MINUTE_MS, openAppWithActivities, passUndo, startSwimming } from '../scenes/activity-scene.ts';
import { activityCode, pathOfCode } from '../scenes/scanner-scene.ts';

/** One minute after the athlete's swim has ended. */
const NOW = '2026-11-20T10:46:00Z';
const ANA = athlete('Ana', 5);
const SWIM = { ...activityOf(1, POOL), ended_at: '2026-11-20T10:45:00.000Z' };
const RIGHT: RefereeRight = {
  sport_center_id: POOL.id,
  sport_center_name: POOL.name,
  sport_types: ['swimming'],
  valid_until: null,
};
const CODE_PATH = pathOfCode(activityCode(SWIM, ANA, NOW));

/**
 * Opens the app of a referee of the pool whose phone knows of that right. `outcome`: the server's outcome of a scan.
 */
async function openAsReferee(outcome: OpResult['outcome']): Promise<Phone> {
  const phone = await openApp({
    path: '/qr/scan',
    now: NOW,
    prepare(server) {
      answerCenter(server);
      server.on(listMyRefereeRights, () => ({ items: [RIGHT], next_cursor: null }));
      server.on(syncActivities, ({ body }) => ({ results: body.ops.map(({ op_id }) => ({ op_id, outcome })) }));
    },
  });
  await waitFor(async () => expect(findTraces(await readStores(), { right: 'referee_rights' })).not.toEqual([]));
  return phone;
}

/** The phone's own camera reads the athlete's code, and the referee confirms it. */
async function scanAndConfirm(phone: Phone): Promise<void> {
  await phone.reload(CODE_PATH);
  const card = within(await screen.findByRole('dialog', { name: 'Is this right?' }));
  await card.findByText('Ana');
  await card.findByText(POOL.name);
  await phone.user.click(await card.findByRole('button', { name: 'Confirm' }));
}

const sentScans = ({ server }: Phone) => server.asked(syncActivities).flatMap(({ body }) => body.ops);

test('a scan of an athlete without network waits on the server, and its referee gets an event when it counts', async () => {
  const phone = await openAsReferee('waiting');
  await phone.server.stream.opened();
  await scanAndConfirm(phone);
  await screen.findByText('Recorded. It will be confirmed when the athlete is back online');
  const [scan, ...others] = sentScans(phone);
  expect(others).toEqual([]);
  expect(scan).toMatchObject({ kind: 'scan', client_id: SWIM.client_id, decision: 'confirm', recorded_offline: false });
  expect(screen.queryByRole('heading', { name: 'Confirmed' })).toBeNull();
  phone.server.tell({ type: 'scan_decided', op_id: String(scan?.op_id), outcome: 'accepted', code: null });
  await screen.findByRole('heading', { name: 'Confirmed' });
});

test('an athlete without network shows the code, and sees the confirmation that waited when the swim arrives', async () => {
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await screen.findByText(/Saved on the server$/);
  phone.setOnline(false);
  await phone.passTime(45 * MINUTE_MS);
  await phone.user.click(await screen.findByRole('button', { name: 'Finish' }));
  await phone.user.click(await screen.findByRole('link', { name: 'Show my code' }));
  await screen.findByRole('img', { name: /QR code/ });
  phone.activities.decideAtFinish({ status: 'validated', validation: 'referee', points: 331 });
  await passUndo(phone);
  expect(screen.queryByRole('heading', { name: 'Confirmed' })).toBeNull();
  phone.setOnline(true);
  await screen.findByRole('heading', { name: 'Confirmed' });
  await screen.findByText('+331');
});

test('a scan of a referee without network is kept on the phone, also over a reload, and is sent once', async () => {
  const phone = await openAsReferee('accepted');
  phone.setOnline(false);
  await scanAndConfirm(phone);
  await screen.findByText('Recorded. It will be confirmed when you are back online');
  await phone.reload('/dashboard');
  await screen.findByRole('button', { name: /^1 pending/ });
  expect(sentScans(phone)).toEqual([]);

  phone.setOnline(true);
  await screen.findByRole('button', { name: /^Synced/ });
  await phone.reload('/dashboard');
  await phone.server.stream.opened();
  await passUndo(phone);
  expect(screen.queryByRole('button', { name: /^1 pending/ })).toBeNull();
  expect(sentScans(phone)).toEqual([
    expect.objectContaining({ client_id: SWIM.client_id, decision: 'confirm', recorded_offline: true }),
  ]);
});
