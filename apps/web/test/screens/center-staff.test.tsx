import {
  type CenterStaff,
  getCenterStaff,
  inviteKiosk,
  inviteReferee,
  revokeKiosks,
  revokeReferee,
} from '@sendlap/contract/center-staff.ts';
import { getMyOperatorRight } from '@sendlap/contract/operators.ts';
import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp } from '../open-app.ts';

const PATH = `/sport-centers/${POOL.id}/staff`;
const INVITE = { code: 'abcd-efgh-jkmn', url: 'https://sendlap.example/kiosk#abcd-efgh-jkmn' };
const REX = { public_id: 'rex', name: 'Rex', sport_types: ['swimming' as const], valid_until: null };
const TABLET = {
  id: 'eeeeeeee-1111-4111-8111-111111111111',
  paired_at: '2026-11-20T10:00:00.000Z',
  last_used_at: '2026-11-26T09:55:00.000Z',
};

/** The center's page of an operator, with this staff. */
async function openStaff(staff: CenterStaff, options: Parameters<typeof openApp>[0] = {}) {
  const { prepare, ...rest } = options;
  const current = { staff };
  const phone = await openApp({
    path: PATH,
    now: '2026-11-26T10:00:00Z',
    ...rest,
    prepare: (server) => {
      answerCenter(server);
      server.on(getMyOperatorRight, () => ({ is_operator: true }));
      server.on(getCenterStaff, () => current.staff);
      server.on(inviteKiosk, () => ({ ...INVITE, expires_at: '2026-11-27T10:00:00.000Z' }));
      server.on(inviteReferee, () => ({ ...INVITE, expires_at: '2026-11-27T10:00:00.000Z' }));
      server.on(revokeKiosks, () => ({ ...current.staff, kiosks: [] }));
      server.on(revokeReferee, () => ({ ...current.staff, referees: [] }));
      prepare?.(server);
    },
  });
  return { ...phone, current };
}

const NONE: CenterStaff = { referees: [], kiosks: [] };
const card = async (heading: string) => {
  const title = await screen.findByRole('heading', { level: 2, name: heading });
  return within(title.closest('section') as HTMLElement);
};

test('an athlete who opens the page reads that it is for managers', async () => {
  await openStaff(NONE, { prepare: (server) => server.refuse(getCenterStaff, 'not_a_manager') });
  const problem = within(await screen.findByRole('alert'));
  problem.getByText('Only a manager of this center can do this.');
  expect(screen.queryByRole('button', { name: 'Pair a tablet' })).toBeNull();
});

test('an invite that is refused says why and shows no code', async () => {
  const { user } = await openStaff(NONE, { prepare: (server) => server.refuse(inviteKiosk, 'sport_center_closed') });
  const kiosk = await card('Kiosk');
  await user.click(kiosk.getByRole('button', { name: 'Pair a tablet' }));
  await kiosk.findByRole('alert');
  expect(kiosk.queryByRole('img', { name: 'QR code of the invite' })).toBeNull();
});

test.each([
  ['en', 'Kiosk', 'Pair a tablet', 'QR code of the invite', /^Valid once, until Friday/, 'The tablet is paired.'],
  [
    'es',
    'Quiosco',
    'Vincular una tableta',
    'Código QR de la invitación',
    /^Sirve una vez, hasta el viernes/,
    'La tableta está vinculada.',
  ],
] as const)(
  'a tablet is paired by a code, and appears by itself, in %s',
  async (language, title, button, qr, until, used) => {
    const { user, current, passTime } = await openStaff(NONE, { language });
    const kiosk = await card(title);
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
  const kiosk = await card('Kiosk');
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
  const referees = await card('Referees');
  await user.click(referees.getByRole('button', { name: 'Invite a referee' }));
  await referees.findByText(INVITE.code);
  expect(server.asked(inviteReferee)[0]?.body).toEqual({});
  const row = within(referees.getByRole('listitem'));
  await user.click(row.getByRole('button', { name: 'End Rex’s right' }));
  row.getByText(/Earlier confirmations stay/);
  expect(server.asked(revokeReferee)).toEqual([]);
  await user.click(row.getByRole('button', { name: 'End Rex’s right' }));
  await expect.poll(() => referees.queryByRole('list')).toBeNull();
  expect(server.asked(revokeReferee)[0]?.params).toEqual({ id: POOL.id, public_id: 'rex' });
});

test('the focus goes to the harmless answer, back to the button, and to the heading once the right has ended', async () => {
  const { user } = await openStaff({ referees: [REX], kiosks: [TABLET] });
  for (const [title, end] of [
    ['Kiosk', 'End this kiosk'],
    ['Referees', 'End Rex’s right'],
  ] as const) {
    const part = await card(title);
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
  const kiosk = await card('Kiosk');
  await user.click(kiosk.getByRole('button', { name: 'Pair a tablet' }));
  await user.click(await kiosk.findByRole('button', { name: 'Copy' }));
  current.staff = { ...NONE, kiosks: [TABLET] };
  await passTime(5_000);
  await kiosk.findByText('The tablet is paired.');
  await expect.poll(() => document.activeElement?.textContent).toBe('Kiosk');
});

test('an operator reaches it from the page of the center', async () => {
  const { user } = await openStaff(NONE, { path: `/sport-centers/${POOL.id}` });
  await user.click(await screen.findByRole('link', { name: /^Referees and kiosk/ }));
  await screen.findByRole('heading', { level: 1, name: 'Referees and kiosk' });
  await screen.findByText(POOL.name);
});
