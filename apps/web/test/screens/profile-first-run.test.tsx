import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { AccountModel, BODY } from '../models/account-model.ts';
import { ActivityModel, activityOf } from '../models/activity-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp } from '../open-app.ts';
import { NORA } from '../people.ts';
import { followLink } from '../scenes/follow-link.ts';
import { bodyCard, expectGone, expectOnCard, findSheet, typeBody, typeInto } from '../scenes/profile-screen.ts';
import { answerProvider, signInByProvider } from '../scenes/provider.ts';

const BODY_TITLE = 'A few numbers about you';
const NAME_TITLE = 'What should boards call you?';

test('a new athlete is asked once, corrects what can not be, saves, and finds it on the profile [spec 1.audience.account]', async () => {
  let account: AccountModel | undefined;
  const phone = await openApp({
    now: '2026-11-20T10:00:00Z',
    prepare: (server) => {
      account = new AccountModel(server, NORA);
    },
  });
  const { user } = phone;
  const sheet = await findSheet(BODY_TITLE);
  await typeBody(phone, sheet, { Age: '3', Weight: 'much{Enter}' });
  await within(sheet).findByText('From 5 to 120 years, please.');
  within(sheet).getByText('Just a number, please.');
  within(sheet).getByText('This is still missing.');
  const age = within(sheet).getByRole('textbox', { name: 'Age' });
  expect(document.activeElement === age).toBe(true);
  expect(account?.body()).toBeNull();
  await user.click(within(sheet).getByRole('radio', { name: 'Female' }));
  await typeBody(phone, sheet, { Age: '34', Weight: '61,5', Height: '170' });
  await user.click(within(sheet).getByRole('button', { name: 'Save' }));
  await expectGone(sheet);
  expect(account?.body()).toEqual(BODY);

  await phone.reload();
  await user.click(await screen.findByRole('link', { name: 'Profile' }));
  await expectOnCard('34 years', '61.5 kg', '170 cm', 'Female');
  screen.getByText(NORA.public_id);
  // Time for all reads that come before the questions.
  await phone.passTime(5_000);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an athlete without a name for boards is asked for it first', async () => {
  let account: AccountModel | undefined;
  const phone = await openApp({
    path: '/profile',
    prepare: (server) => {
      account = new AccountModel(server, NORA);
      account.forgetDisplayName();
    },
  });
  const { user } = phone;
  const sheet = await findSheet(NAME_TITLE);
  const name = within(sheet).getByRole('textbox', { name: 'Display name' });
  await typeInto(phone, name, '   ');
  await user.click(within(sheet).getByRole('button', { name: 'Next' }));
  expect((await within(sheet).findByRole('alert')).textContent).toBe('It needs at least one character.');
  expect(account?.settings().display_name).toBeNull();
  await typeInto(phone, name, 'Nora  the Wall');
  await user.click(within(sheet).getByRole('button', { name: 'Next' }));
  const body = await findSheet(BODY_TITLE);
  await typeBody(phone, body, { Age: '34', Weight: '61,5', Height: '170{Enter}' });
  await screen.findByRole('heading', { name: 'Nora the Wall' });
  await phone.reload();
  await screen.findByRole('heading', { name: 'Nora the Wall' });
  expect(account?.settings().display_name).toBe('Nora the Wall');
});

test('"Later" holds over a restart, until the next sign-in', async () => {
  const phone = await openApp({
    now: '2026-11-20T10:00:00Z',
    prepare: (server) => new AccountModel(server, NORA),
  });
  const { user, server } = phone;
  const sheet = await findSheet(BODY_TITLE);
  await waitFor(() => expect(document.activeElement === sheet).toBe(true));
  await user.keyboard('{Escape}');
  await expectGone(sheet);
  await phone.reload('/profile');
  await within(await bodyCard()).findByRole('button', { name: 'Add body data' });
  // Time for all reads that come before the questions.
  await phone.passTime(5_000);
  expect(screen.queryByRole('dialog')).toBeNull();

  await user.click(screen.getByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(window.location.pathname).toBe('/login'));
  answerProvider(server, NORA);
  await signInByProvider(phone);
  await findSheet(BODY_TITLE);
});

test('the questions of the first run make way for the scanner, and come back after it', async () => {
  await openApp({ prepare: (server) => new AccountModel(server, NORA) });
  const sheet = await findSheet(BODY_TITLE);
  followLink('/qr/scan');
  await expectGone(sheet);
  followLink('/leaderboards');
  await findSheet(BODY_TITLE);
});

test('the questions of the first run stay away from an app that opens on the scanner', async () => {
  const { passTime } = await openApp({
    path: '/qr/scan',
    now: '2026-11-20T10:00:00Z',
    prepare: (server) => new AccountModel(server, NORA),
  });
  await passTime(5_000);
  expect(screen.queryByRole('dialog', { name: BODY_TITLE })).toBeNull();
  followLink('/leaderboards');
  await findSheet(BODY_TITLE);
});

test('the questions of the first run stay away from a second phone while an activity runs that only the server knows', async () => {
  const { passTime } = await openApp({
    now: '2026-11-20T10:20:00Z',
    prepare(server) {
      answerCenter(server);
      new AccountModel(server, NORA);
      new ActivityModel(server, [POOL], [activityOf(1, POOL, { status: 'active', ended_at: null })]);
    },
  });
  await screen.findAllByText('La Cebada', { exact: false });
  await passTime(5_000);
  expect(screen.queryByRole('dialog', { name: BODY_TITLE })).toBeNull();
});

test('the questions of the first run make way for an activity that runs, and come when it is over', async () => {
  const swim = activityOf(1, POOL, { ended_at: '2026-11-20T10:05:00.000Z' });
  let activities: ActivityModel | undefined;
  const { server } = await openApp({
    now: '2026-11-20T10:20:00Z',
    prepare: (fake) => {
      answerCenter(fake);
      new AccountModel(fake, NORA);
      activities = new ActivityModel(fake, [POOL], [swim]);
    },
  });
  const sheet = await findSheet(BODY_TITLE);
  await server.stream.opened();
  activities?.changeAndTell(swim.client_id, { status: 'active', ended_at: null });
  await expectGone(sheet);
  await screen.findAllByText('La Cebada', { exact: false });
  followLink('/leaderboards');
  await screen.findByRole('heading', { level: 1, name: 'Ranks' });
  expect(screen.queryByRole('dialog')).toBeNull();
  activities?.changeAndTell(swim.client_id, { status: 'finished', ended_at: '2026-11-20T10:20:00.000Z' });
  await findSheet(BODY_TITLE);
});
