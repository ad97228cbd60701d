import { getCenterHours } from '@sendlap/contract/center-management/center-hours.ts';
import {
  type CenterStaff,
  getCenterStaff,
  inviteKiosk,
  inviteManager,
  inviteReferee,
  revokeKiosks,
  revokeManager,
  revokeReferee,
} from '@sendlap/contract/center-management/center-staff.ts';
import { listMyManagerRights, redeemManagerInvite } from '@sendlap/contract/center-management/managers.ts';
import { getMyOperatorRight } from '@sendlap/contract/operators.ts';
import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import type { FakeServer } from '../models/fake-server.ts';
import { POOL } from '../models/pool.ts';
import type { openApp } from '../open-app.ts';
import { NORA } from '../people.ts';
import { findSection, MANAGEMENT_PATH, ManagedCenter, NO_STAFF, openManagement } from './managed-center.ts';

const INVITE = { code: 'abcd-efgh-jkmn', url: 'https://sendlap.example/kiosk#abcd-efgh-jkmn' };
const REX = { public_id: 'rex', name: 'Rex', sport_types: ['swimming' as const], valid_until: null };
const TABLET = {
  id: 'eeeeeeee-1111-4111-8111-111111111111',
  paired_at: '2026-11-20T10:00:00.000Z',
  last_used_at: '2026-11-26T09:55:00.000Z',
};

/** The page of a center with this staff, seen by an operator. */
async function openStaff(staff: CenterStaff, { prepare, ...options }: Parameters<typeof openApp>[0] = {}) {
  const center = new ManagedCenter();
  center.staff = staff;
  const phone = await openManagement({
    ...options,
    center,
    prepare: (server) => {
      server.on(getMyOperatorRight, () => ({ is_operator: true }));
      server.on(listMyManagerRights, () => ({ items: [], next_cursor: null }));
      const invite = () => ({ ...INVITE, expires_at: '2026-11-27T10:00:00.000Z' });
      server.on(inviteKiosk, invite);
      server.on(inviteReferee, invite);
      server.on(inviteManager, invite);
      server.on(revokeManager, () => ({ ...center.staff, managers: [] }));
      server.on(revokeKiosks, () => ({ ...center.staff, kiosks: [] }));
      server.on(revokeReferee, () => ({ ...center.staff, referees: [] }));
      prepare?.(server);
    },
  });
  return { ...phone, current: center };
}

const NONE = NO_STAFF;

test('an athlete who opens the page reads that it is for managers', async () => {
  await openStaff(NONE, { prepare: (server) => server.refuse(getCenterStaff, 'not_a_manager') });
  const problem = within(await screen.findByRole('alert'));
  problem.getByText('Only a manager of this center can do this.');
  expect(screen.queryByRole('button', { name: 'Pair a tablet' })).toBeNull();
});

test('an invite that is refused says why and shows no code', async () => {
  const { user } = await openStaff(NONE, { prepare: (server) => server.refuse(inviteKiosk, 'sport_center_closed') });
  const kiosk = await findSection('Kiosk');
  await user.click(kiosk.getByRole('button', { name: 'Pair a tablet' }));
  await kiosk.findByRole('alert');
  expect(kiosk.queryByRole('img', { name: 'QR code of the link' })).toBeNull();
});

test.each([
  ['en', 'Kiosk', 'Pair a tablet', 'QR code of the link', /^Works once, until Friday/, 'The tablet is paired.'],
  [
    'es',
    'Quiosco',
    'Vincular una tableta',
    'Código QR del enlace',
    /^Sirve una vez, hasta el viernes/,
    'La tableta está vinculada.',
  ],
] as const)(
  'a tablet is paired by a code, and appears automatically, in %s',
  async (language, title, button, qr, until, used) => {
    const { user, current, passTime } = await openStaff(NONE, { language });
    const kiosk = await findSection(title);
    await user.click(kiosk.getByRole('button', { name: button }));
    await kiosk.findByRole('img', { name: qr });
    kiosk.getByText(INVITE.code);
    kiosk.getByText(until);
    expect(kiosk.queryByRole('list')).toBeNull();
    current.staff = { ...NONE, kiosks: [TABLET] };
    await passTime(5_000);
    expect((await kiosk.findByRole('listitem')).textContent).toMatch(/20 (Nov|nov).*5/);
    kiosk.getByText(used);
    expect(kiosk.queryByText(INVITE.code)).toBeNull();
  },
);

test('kiosks are ended only after a question', async () => {
  const { user, server } = await openStaff({ ...NONE, kiosks: [TABLET] });
  const kiosk = await findSection('Kiosk');
  await user.click(kiosk.getByRole('button', { name: 'End this kiosk' }));
  kiosk.getByText(/^Their codes stop counting at once/);
  await user.click(kiosk.getByRole('button', { name: 'Keep' }));
  expect(server.asked(revokeKiosks)).toEqual([]);
  await user.click(kiosk.getByRole('button', { name: 'End this kiosk' }));
  await user.click(kiosk.getByRole('button', { name: 'End this kiosk' }));
  await kiosk.findByRole('button', { name: 'Pair a tablet' });
  await expect.poll(() => kiosk.queryByRole('list')).toBeNull();
});

test('a referee is invited for all sports of the center, and the right is ended only after a question', async () => {
  const { user, server } = await openStaff({ ...NONE, referees: [REX] });
  const referees = await findSection('Referees');
  await user.click(referees.getByRole('button', { name: 'Invite a referee' }));
  await referees.findByText(/^The first person who scans this/);
  // No screen takes it typed.
  expect(referees.queryByText(INVITE.code)).toBeNull();
  expect(server.asked(inviteReferee)[0]?.body).toEqual({});
  const row = within(referees.getByRole('listitem'));
  await user.click(row.getByRole('button', { name: "End Rex's right" }));
  row.getByText(/Earlier confirmations stay/);
  expect(server.asked(revokeReferee)).toEqual([]);
  await user.click(row.getByRole('button', { name: "End Rex's right" }));
  await expect.poll(() => referees.queryByRole('list')).toBeNull();
  expect(server.asked(revokeReferee)[0]?.params).toEqual({ id: POOL.id, public_id: 'rex' });
});

test('the focus goes to the harmless answer, back to the button, and to the heading once the right has ended', async () => {
  const { user } = await openStaff({ ...NONE, referees: [REX], kiosks: [TABLET] });
  for (const [title, end] of [
    ['Kiosk', 'End this kiosk'],
    ['Referees', "End Rex's right"],
  ] as const) {
    const part = await findSection(title);
    await user.click(part.getByRole('button', { name: end }));
    expect(document.activeElement?.textContent).toBe('Keep');
    await user.keyboard('{Enter}');
    expect(document.activeElement?.textContent).toBe(end);
    await user.keyboard('{Enter}');
    await user.click(part.getByRole('button', { name: end }));
    await expect.poll(() => document.activeElement?.textContent).toBe(title);
  }
});

test('the focus goes from the code of an invite to the heading when the invite was used', async () => {
  const { user, current, passTime } = await openStaff(NONE);
  const kiosk = await findSection('Kiosk');
  await user.click(kiosk.getByRole('button', { name: 'Pair a tablet' }));
  await user.click(await kiosk.findByRole('button', { name: 'Copy link' }));
  current.staff = { ...NONE, kiosks: [TABLET] };
  await passTime(5_000);
  await kiosk.findByText('The tablet is paired.');
  await expect.poll(() => document.activeElement?.textContent).toBe('Kiosk');
});

test('an operator reaches it from the page of the center', async () => {
  const { user } = await openStaff(NONE, { path: `/sport-centers/${POOL.id}` });
  const link = await screen.findByRole('link', { name: /^Manage this center/ });
  await screen.findByText('Public boards: the center');
  expect(screen.queryByRole('button', { name: 'Ask the center for it' })).toBe(null);
  await user.click(link);
  await screen.findByRole('heading', { level: 1, name: 'Manage this center' });
  await screen.findByText(POOL.name, { selector: 'p' });
});

const RIGHT = { sport_center_id: POOL.id, sport_center_name: POOL.name };
const MIA = { public_id: 'mia', name: 'Mia', granted_at: '2026-11-20T10:00:00.000Z' };

test('a manager reaches it from the page of the center; an athlete has no such link', async () => {
  const asAthlete = (server: FakeServer) => server.on(getMyOperatorRight, () => ({ is_operator: false }));
  const { server, user } = await openStaff(NONE, {
    path: `/sport-centers/${POOL.id}`,
    prepare: (server) => {
      asAthlete(server);
      server.on(listMyManagerRights, () => ({ items: [RIGHT], next_cursor: null }));
    },
  });
  await user.click(await screen.findByRole('link', { name: /^Manage this center/ }));
  await screen.findByRole('heading', { level: 1, name: 'Manage this center' });
  expect(server.asked(getMyOperatorRight).length).toBeGreaterThan(0);
});

test.each([
  ['en', 'Become a manager', `Manage ${POOL.name}?`, 'Managers'],
  ['es', 'Aceptar', `¿Gestionar ${POOL.name}?`, 'Gestores'],
] as const)(
  'the address of an invite makes a manager after a question, in %s',
  async (language, accept, title, managers) => {
    const { user, server } = await openStaff(NONE, {
      language,
      path: `${MANAGEMENT_PATH}#abcd-efgh-jkmn`,
      prepare: (server) => server.on(redeemManagerInvite, () => RIGHT),
    });
    await screen.findByRole('heading', { level: 2, name: title });
    expect([server.asked(redeemManagerInvite), server.asked(getCenterStaff)]).toEqual([[], []]);
    await user.click(screen.getByRole('button', { name: accept }));
    await screen.findByRole('heading', { level: 2, name: managers });
    expect(server.asked(redeemManagerInvite)[0]?.body).toEqual({ code: 'abcd-efgh-jkmn' });
    expect([location.pathname, location.hash]).toEqual([MANAGEMENT_PATH, '']);
  },
);

test('an invite that was used already says so and leads nowhere', async () => {
  const { user } = await openStaff(NONE, {
    path: `${MANAGEMENT_PATH}#abcd-efgh-jkmn`,
    prepare: (server) => server.refuse(redeemManagerInvite, 'invite_invalid'),
  });
  await user.click(await screen.findByRole('button', { name: 'Become a manager' }));
  within(await screen.findByRole('alert')).getByText(/was used already or has expired/);
  expect(location.hash).toBe('#abcd-efgh-jkmn');
});

test('a manager leaves after a question, and ends the right of no other manager', async () => {
  const { user, server } = await openStaff(
    { ...NONE, managers: [{ ...MIA, public_id: NORA.public_id, name: NORA.name }, MIA] },
    { prepare: (server) => server.on(getMyOperatorRight, () => ({ is_operator: false })) },
  );
  const managers = await findSection('Managers');
  expect(managers.queryByRole('button', { name: /^End / })).toBeNull();
  await user.click(managers.getByRole('button', { name: 'Leave as manager' }));
  expect(server.asked(revokeManager)).toEqual([]);
  await user.click(managers.getByRole('button', { name: 'Leave as manager' }));
  await screen.findByText('You no longer manage this center');
  expect(server.asked(revokeManager)[0]?.params).toEqual({ id: POOL.id, public_id: NORA.public_id });
  expect(location.pathname).toBe(`/sport-centers/${POOL.id}`);
});

test('an invite comes before the people, and a manager leaves below all of them', async () => {
  await openStaff({ kiosks: [TABLET], referees: [REX], managers: [{ ...MIA, public_id: NORA.public_id }, MIA] });
  for (const [title, acts] of [
    ['Kiosk', ['Pair a tablet', 'End this kiosk']],
    ['Referees', ['Invite a referee', "End Rex's right"]],
    ['Managers', ['Invite a manager', "End Mia's right", 'Leave as manager']],
  ] as const) {
    const part = await findSection(title);
    await part.findByRole('button', { name: acts[1] });
    expect(part.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(acts);
  }
});

test('an operator ends the right of a manager', async () => {
  const { user } = await openStaff({ ...NONE, managers: [MIA] });
  const managers = await findSection('Managers');
  await user.click(await managers.findByRole('button', { name: "End Mia's right" }));
  await user.click(managers.getByRole('button', { name: "End Mia's right" }));
  await expect.poll(() => managers.queryByRole('list')).toBeNull();
});

test('without a network the page says so, and an invite waits for it', async () => {
  const phone = await openStaff(NONE);
  const managers = await findSection('Managers');
  phone.setOnline(false);
  const [button] = await managers.findAllByRole('button', { name: /: Needs a connection$/ });
  expect(button).toHaveProperty('disabled', true);
});

test('the parts at the top of the page appear together, so that none pushes another down', async () => {
  const held = Promise.withResolvers<ReturnType<FakeServer['hold']>>();
  await openStaff(NONE, { prepare: (server) => held.resolve(server.hold(getCenterHours)) });
  const hours = await held.promise;
  await hours.arrived;
  await screen.findByRole('status', { name: 'Loading' });
  await vi.waitFor(() => expect(screen.queryByRole('heading', { level: 2, name: 'Details' })).toBeNull());
  hours.release();
  await findSection('Details');
});
