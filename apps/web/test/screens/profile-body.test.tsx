import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { AccountModel, BODY } from '../models/account-model.ts';
import { openApp, type Phone } from '../open-app.ts';
import { NORA } from '../people.ts';
import { bodyCard, expectGone, expectOnCard, findSheet, typeBody } from '../scenes/profile-screen.ts';

async function openProfile() {
  let account: AccountModel | undefined;
  const phone = await openApp({
    path: '/profile',
    now: '2026-11-20T10:00:00Z',
    prepare: (server) => {
      account = new AccountModel(server, NORA, BODY);
    },
  });
  await expectOnCard('61.5 kg');
  if (!account) throw new Error('the app was opened without its account');
  return { phone, account };
}

async function openEditor({ user }: Phone): Promise<HTMLElement> {
  await user.click(await within(await bodyCard()).findByRole('button', { name: 'Edit' }));
  return findSheet('Your body data');
}

test('body data that was changed on another device shows both versions, and the chosen one stays', async () => {
  const { phone, account } = await openProfile();
  const sheet = await openEditor(phone);
  await typeBody(phone, sheet, { Height: '171' });
  account.changeBodyElsewhere({ weight_kg: 63 });
  await phone.user.click(within(sheet).getByRole('button', { name: 'Save' }));
  await within(sheet).findByRole('heading', { name: 'Changed somewhere else' });
  within(sheet).getByRole('row', { name: 'Height 171 cm 170 cm' });
  within(sheet).getByRole('row', { name: 'Weight 63 kg 63 kg' });
  expect(account.body()).toEqual({ ...BODY, weight_kg: 63 });
  await phone.user.click(within(sheet).getByRole('button', { name: 'Save mine' }));
  await expectGone(sheet);
  await expectOnCard('171 cm', '63 kg');
  expect(account.body()).toEqual({ ...BODY, weight_kg: 63, height_cm: 171 });
});

test('without a network body data is shown with its age, and editing says what it needs [spec 1.offline.profile, 1.offline.bio-info, 8.bio-info.needs-network]', async () => {
  const { phone } = await openProfile();
  phone.setOnline(false);
  await phone.reload();
  await expectOnCard('61.5 kg');
  // Until the request has failed.
  await phone.passTime(5_000);
  const card = within(await bodyCard());
  card.getByText(/^You're offline\. Last updated/);
  card.getByText('61.5 kg');
  screen.getByRole('heading', { name: 'Nora' });
  expect(card.getByRole('button', { name: 'Edit: Needs a connection' })).toHaveProperty('disabled', true);
  phone.setOnline(true);
  expect(await card.findByRole('button', { name: 'Edit' })).toHaveProperty('disabled', false);
});
