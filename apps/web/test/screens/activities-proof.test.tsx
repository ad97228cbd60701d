import type { ProofAttempt } from '@sendlap/contract/activities.ts';
import { listBadges } from '@sendlap/contract/badges.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { delayModuleLoad } from '../device/module-loading.ts';
import { activityOf } from '../models/activity-model.ts';
import { POOL } from '../models/pool.ts';
import { main, openAppWithActivities, pathOf } from '../scenes/activity-scene.ts';
import { findSheet, typeInto } from '../scenes/profile-screen.ts';
import { useScreenReader } from '../scenes/screen-reader.ts';

const SCANNED_AT = '2026-11-20T11:00:00.000Z';
const SWIM = activityOf(1, POOL);
const VALIDATED = { status: 'validated', validation: 'referee', points: 331 } as const;
const CONFIRMED = { kind: 'validation', points: 331, rule_version: 'met-1', at: SCANNED_AT } as const;

function decisionOf(by: string, facts: Partial<ProofAttempt> = {}): ProofAttempt {
  const accepted = { method: 'referee', decision: 'confirm', outcome: 'in_force', code: null, reason: null } as const;
  return { ...accepted, at: SCANNED_AT, by, distance_class: 'at', count: 1, ...facts };
}

test('a confirmation shows on the code at once, and a celebration whose code comes late counts the new badges', async () => {
  const showCelebration = delayModuleLoad('#web/features/badges/BadgeCelebrations.tsx');
  const { server, activities } = await openAppWithActivities({
    path: `/qr/generate?activity=${SWIM.client_id}`,
    first: [SWIM],
  });
  await screen.findByRole('img', { name: /QR code/ });
  await server.stream.opened();
  const earned_at = new Date().toISOString();
  const badge = (id: 'first_activity' | 'swimming_starter') => ({ id, earned_at, progress: 1, goal: 1 });
  server.on(listBadges, () => ({ items: [badge('first_activity'), badge('swimming_starter')] }));
  server.tell({ type: 'badge_earned', badge: 'first_activity' });
  server.tell({ type: 'badge_earned', badge: 'swimming_starter' });
  activities.changeAndNotify(SWIM.client_id, VALIDATED);
  await screen.findByRole('heading', { name: 'Confirmed' });
  expect(screen.queryByRole('heading', { name: /new badge/ })).toBeNull();
  showCelebration();
  await screen.findByRole('heading', { name: '2 new badges!' });
});

test('a correction says that it drops the proof, and the points that came of it are taken back', async () => {
  const phone = await openAppWithActivities({ path: pathOf(SWIM), first: [{ ...SWIM, ...VALIDATED }] });
  const { user, activities } = phone;
  activities.setDetail(SWIM.client_id, { proofs: [decisionOf('Rolf')], ledger: [CONFIRMED] });
  await screen.findByText('Confirmation by Rolf, referee');
  await user.click(screen.getByText('History of these points'));
  await screen.findByText('+331');
  expect(screen.queryByText('-331')).toBeNull();

  await user.click(screen.getByRole('button', { name: 'Correct' }));
  const sheet = await findSheet('Correct this activity');
  within(sheet).getByText('It will need a new proof');
  const save = within(sheet).getByRole('button', { name: 'Save the correction' });
  expect(save).toHaveProperty('disabled', true);
  await typeInto(phone, within(sheet).getByLabelText('Distance in metres'), '2000');
  activities.setDetail(SWIM.client_id, {
    proofs: [decisionOf('Rolf', { outcome: 'edited' })],
    ledger: [CONFIRMED, { ...CONFIRMED, kind: 'reversal', points: -331 }],
  });
  await user.click(save);
  await screen.findByRole('heading', { name: 'Corrected' });
  await main().findByText('The server has it.');
  await main().findByText('points waiting');
  await main().findByText(/2,000 m$/);
  await main().findByText('-331');
  expect(activities.list()).toEqual([expect.objectContaining({ status: 'finished', points: 0, distance_m: 2000 })]);
});

test("a referee's no comes with its reason, and one tap asks another referee", async () => {
  const reason = 'You were in the cafeteria';
  const rejected = { status: 'rejected', validation: 'referee', rejected_reason: reason, can_appeal: true } as const;
  const { server, user, activities } = await openAppWithActivities({ path: pathOf(SWIM), first: [SWIM] });
  await screen.findByRole('button', { name: 'Correct' });
  await server.stream.opened();
  activities.setDetail(SWIM.client_id, { proofs: [decisionOf('Rita', { decision: 'reject', reason })] });
  activities.changeAndNotify(SWIM.client_id, rejected);
  await screen.findByRole('heading', { name: 'Do you see it differently?' });
  await screen.findByText('Rejection by Rita, referee');
  expect(screen.getAllByText(`“${reason}”`).length).toBeGreaterThan(0);
  expect(screen.queryByRole('button', { name: 'Correct' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Show my code' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Ask another referee' }));
  await screen.findByText('Request sent. Show your code to another referee.');
  await screen.findByText('The server has it.');
  await screen.findByRole('link', { name: 'Show my code' });
  expect(activities.list()).toEqual([expect.objectContaining({ appealed_at: expect.any(String) })]);
});

test("a kiosk's proof that counts on no public board says why, and its code waits for a referee", async () => {
  const limited = { status: 'validated', validation: 'peer', points: 331, proof_note: 'venue_codes_shared' } as const;
  const { user, activities } = await openAppWithActivities({ path: pathOf(SWIM), first: [{ ...SWIM, ...limited }] });
  await screen.findByText("Counts on friends' boards only.");
  screen.getByText(/Others scanned the same codes before you/);
  await user.click(screen.getByRole('link', { name: 'Show my code' }));
  await screen.findByRole('img', { name: /QR code/ });
  activities.changeAndNotify(SWIM.client_id, { ...VALIDATED, proof_note: null });
  await screen.findByRole('heading', { name: 'Confirmed' });
});

test.each([
  ['en', "Confirmed by the center's kiosk.", 'Confirmations', /not been scanned/, /^The server can't be reached/],
  [
    'es',
    'Confirmada por el quiosco del centro.',
    'Confirmaciones',
    /^Nadie ha escaneado su código/,
    /^No se puede conectar con el servidor/,
  ],
] as const)(
  'attempts from before the decision never say that there was none, in %s',
  async (language, by, title, none, unread) => {
    const { activities } = await openAppWithActivities({ path: pathOf(SWIM), first: [SWIM], language });
    await screen.findByText(none);
    activities.changeAndNotify(SWIM.client_id, { ...VALIDATED, validation: 'venue' });
    await screen.findByText(by);
    await screen.findByText(unread);
    screen.getByRole('heading', { name: title });
    expect(screen.queryByText(none)).toBeNull();
  },
);

test.each([
  [
    'en',
    'A referee of the center, or a friend who trained there at that time, can confirm it.',
    /^This person had already confirmed you/,
  ],
  [
    'es',
    'Puede confirmarla un árbitro del centro o un amigo que entrenaba allí a esa hora.',
    /^Esa persona ya te había confirmado/,
  ],
] as const)('scans of others that were refused speak to the athlete, in %s', async (language, no_right, too_many) => {
  const phone = await openAppWithActivities({ path: pathOf(SWIM), first: [SWIM], language });
  phone.activities.setDetail(SWIM.client_id, {
    proofs: [
      decisionOf('Rolf', { method: null, outcome: 'refused', code: 'not_a_referee', by: null }),
      decisionOf('Rita', { outcome: 'refused', code: 'pair_limit_reached', by: null }),
    ],
  });
  await screen.findByText(no_right);
  await screen.findByText(too_many);
});

test('an activity without points has no big way to its code, and a new start comes before it', async () => {
  const short = { ...SWIM, ended_at: '2026-11-20T10:05:00Z', potential_points: 0 };
  await openAppWithActivities({ path: pathOf(SWIM), first: [short] });
  await screen.findByText('No points this time');
  const link = screen.getByRole('link', { name: 'Show my code' });
  expect(link.className).not.toContain('bg-accent ');
  const again = screen.getByRole('button', { name: 'Again here' });
  expect(again.compareDocumentPosition(link)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(screen.queryByText(/can scan it up to 12 hours after the end/)).toBeNull();
});

test('a screen reader says the points of a confirmation once, from a region that was there before', async () => {
  const phone = await openAppWithActivities({ path: pathOf(SWIM), first: [SWIM] });
  const reader = useScreenReader(phone);
  const region = (await screen.findByText('points waiting')).closest('[aria-live=polite]');
  await phone.server.stream.opened();
  phone.activities.changeAndNotify(SWIM.client_id, VALIDATED);
  await waitFor(() => expect(region?.isConnected && region.textContent).toMatch(/331/));
  await waitFor(() => expect(region?.querySelector('p [aria-hidden=true]')?.textContent).toBe('331'));
  expect(reader.heard().filter((text) => /points(?! waiting)/.test(text))).toHaveLength(1);
});

describe('my code without the id of an activity', () => {
  const REJECTED = {
    ...SWIM,
    status: 'rejected',
    validation: 'referee',
    rejected_reason: 'You left',
    can_appeal: true,
  } as const;

  test('says to finish first while one runs', async () => {
    const running = { ...SWIM, status: 'active', ended_at: null, score: null } as const;
    await openAppWithActivities({ path: '/qr/generate', first: [running] });
    await screen.findByRole('heading', { name: 'Finish first' });
    expect(screen.getByRole('link', { name: 'To the activity' }).getAttribute('href')).toBe(pathOf(SWIM));
  });

  test('of one that was turned down says why, and asks another referee in place', async () => {
    const { user } = await openAppWithActivities({ path: '/qr/generate', first: [REJECTED] });
    await screen.findByRole('heading', { name: 'This activity was rejected' });
    await screen.findByText('“You left”');
    await user.click(screen.getByRole('button', { name: 'Ask another referee' }));
    await screen.findByRole('img', { name: /^QR code of your swimming/ });
  });

  test('belongs to the last one which can be confirmed, whatever came after it', async () => {
    const later = { ...REJECTED, client_id: crypto.randomUUID(), started_at: '2026-11-20T10:50:00Z' };
    await openAppWithActivities({
      path: '/qr/generate',
      first: [{ ...later, ended_at: '2026-11-20T11:20:00Z' }, SWIM],
    });
    await screen.findByRole('img', { name: /^QR code of your swimming/ });
  });

  test('celebrates the one that was shown, which is then no longer one to confirm', async () => {
    const { server, activities } = await openAppWithActivities({ path: '/qr/generate', first: [SWIM] });
    await screen.findByRole('img', { name: /^QR code of your swimming/ });
    await server.stream.opened();
    activities.changeAndNotify(SWIM.client_id, VALIDATED);
    await screen.findByRole('heading', { name: 'Confirmed' });
    expect(screen.queryByRole('heading', { name: 'Nothing to confirm yet' })).toBeNull();
  });

  test.each([
    ['confirmation', VALIDATED, /^Confirmed: \d+ points$/],
    [
      'rejection',
      { status: 'rejected', validation: 'referee', rejected_reason: 'You left' },
      /^This activity was rejected$/,
    ],
  ] as const)('says the %s to a screen reader, in a region that was there before', async (_, decision, said) => {
    const phone = await openAppWithActivities({ path: '/qr/generate', first: [SWIM] });
    const reader = useScreenReader(phone);
    await screen.findByRole('img', { name: /^QR code of your swimming/ });
    const regions = screen.getAllByRole('status');
    await phone.server.stream.opened();
    phone.activities.changeAndNotify(SWIM.client_id, decision);
    await waitFor(() => expect(regions.filter(({ textContent }) => said.test(textContent ?? ''))).toHaveLength(1));
    expect(regions.every(({ isConnected, textContent }) => isConnected || !said.test(textContent ?? ''))).toBe(true);
    expect(reader.heard().filter((text) => said.test(text))).toHaveLength(1);
  });

  test('does not announce a decision to a screen reader when another activity is shown', async () => {
    const confirmed = { ...activityOf(2, POOL), ...VALIDATED };
    const phone = await openAppWithActivities({
      path: `/qr/generate?activity=${SWIM.client_id}`,
      first: [SWIM, confirmed],
    });
    const reader = useScreenReader(phone);
    await screen.findByRole('img', { name: /^QR code of your swimming/ });
    history.pushState(null, '', `/qr/generate?activity=${confirmed.client_id}`);
    await screen.findByText('Confirmed: 331 points', { ignore: '[role=status]' });
    expect(reader.heard().filter((text) => text.startsWith('Confirmed'))).toEqual([]);
  });

  test('says that there is nothing where all are confirmed', async () => {
    await openAppWithActivities({ path: '/qr/generate', first: [{ ...SWIM, status: 'validated', points: 331 }] });
    await screen.findByRole('heading', { name: 'Nothing to confirm yet' });
  });
});
