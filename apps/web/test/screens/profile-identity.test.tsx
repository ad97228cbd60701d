import { changePublicId } from '@sendlap/contract/friends.ts';
import { endSession, listSessions, type UserSession, updateSettings } from '@sendlap/contract/users.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { AccountModel, BODY } from '../models/account-model.ts';
import { openApp } from '../open-app.ts';
import { NORA } from '../people.ts';
import { expectGone, findSheet, typeInto } from '../scenes/profile-screen.ts';

async function openProfile() {
  let account: AccountModel | undefined;
  const phone = await openApp({
    path: '/profile',
    prepare: (server) => {
      account = new AccountModel(server, NORA, BODY);
    },
  });
  if (!account) throw new Error('the app was opened without its account');
  return { phone, account };
}

test('a public id is changed; one that is taken, now or for 90 days, is refused in the same words', async () => {
  const { phone, account } = await openProfile();
  const { user } = phone;
  account.taken.add('eve');
  await user.click(await screen.findByRole('button', { name: 'Change your public ID' }));
  const sheet = await findSheet('Change your public ID');
  const field = within(sheet).getByRole('textbox', { name: 'New public ID' });
  const save = within(sheet).getByRole('button', { name: 'Save' });
  await user.clear(field);
  await user.paste('no spaces here');
  await user.click(save);
  expect((await within(sheet).findByRole('alert')).textContent).toMatch('3 to 30 characters');
  expect(phone.server.asked(changePublicId)).toEqual([]);
  await typeInto(phone, field, 'eve');
  expect(within(sheet).queryByRole('alert')).toBeNull();
  await user.click(save);
  expect((await within(sheet).findByRole('alert')).textContent).toBe('This ID is not available. Choose another one.');
  await typeInto(phone, field, 'NORA.the-wall');
  await user.click(save);
  await expectGone(sheet);
  await screen.findByText('nora.the-wall');
  expect(account.user().public_id).toBe('nora.the-wall');
  await phone.reload();
  await screen.findByText('nora.the-wall');
});

test('a switch keeps the keyboard while it is saved, and the latest of quick changes counts', async () => {
  const { phone, account } = await openProfile();
  const { user, server } = phone;
  const held = server.hold(updateSettings);
  const boards = await screen.findByRole('switch', { name: 'Show me on boards' });
  await waitFor(() => expect(boards).toHaveProperty('checked', true));
  const presence = screen.getByRole('switch', { name: 'Show friends where I train' });
  for (const pressed of [boards, boards, boards, presence]) {
    pressed.focus();
    await user.keyboard(' ');
    await waitFor(() => expect(pressed.getAttribute('aria-busy')).toBe('true'));
    expect(pressed).toHaveProperty('disabled', false);
    expect(document.activeElement === pressed).toBe(true);
  }
  await held.arrived;
  held.release();
  await waitFor(() => expect([boards, presence].filter((one) => one.hasAttribute('aria-busy'))).toEqual([]));
  expect(document.activeElement === presence).toBe(true);
  expect(account.settings()).toMatchObject({ boards: false, presence: true });
  await phone.reload();
  const read_again = await screen.findByRole('switch', { name: 'Show me on boards' });
  await waitFor(() => expect(read_again).toHaveProperty('disabled', false));
  expect(read_again).toHaveProperty('checked', false);
});

test('a device that is signed out leaves the list', async () => {
  const seen_at = '2026-11-20T09:00:00.000Z';
  const device = (number: number, device_name: string, current: boolean): UserSession => ({
    id: `eeeeeeee-1111-4111-8111-11111111111${number}`,
    device_name,
    created_at: seen_at,
    last_used_at: seen_at,
    current,
  });
  const phone_there = device(2, 'Chrome on Android', false);
  const { user, server } = await openApp({
    path: '/profile/devices',
    prepare: (fake) => {
      fake.on(listSessions, () => ({
        items: [phone_there, device(1, 'Chrome on Linux', true)],
        next_cursor: null,
      }));
      fake.on(endSession, () => ({}));
    },
  });
  await screen.findByRole('heading', { name: 'Chrome on Android' });
  const rows = () => within(screen.getByRole('main')).getAllByRole('listitem');
  expect(rows().map((row) => within(row).getByRole('heading').textContent)).toEqual([
    'Chrome on Linux',
    'Chrome on Android',
  ]);
  within(rows()[0] as HTMLElement).getByText('This device');
  screen.getByRole('button', { name: 'Sign out Chrome on Android' }).focus();
  await user.keyboard('{Enter}');
  await screen.findByText('Signed out there');
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(document.activeElement).toBe(within(screen.getByRole('main')).getByRole('list'));
  expect(server.asked(endSession).map(({ params }) => params.id)).toEqual([phone_there.id]);
});

test('without a network the settings and the notifications each say once that they need one', async () => {
  const { phone } = await openProfile();
  await phone.user.click(await screen.findByRole('switch', { name: 'Quiet hours' }));
  await screen.findByLabelText('Until');
  phone.setOnline(false);
  await screen.findByText('You can change this when you are online again.');
  await screen.findByText('What others see of you can be changed with a connection.');
  expect(screen.getAllByText(/online again|with a connection/)).toHaveLength(2);
  phone.setOnline(true);
  await waitFor(() => expect(screen.queryByText(/online again|with a connection/)).toBeNull());
});
