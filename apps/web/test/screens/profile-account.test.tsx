import { listActivities } from '@sendlap/contract/activities.ts';
import { getMe, logout } from '@sendlap/contract/auth.ts';
import { getBioInfo } from '@sendlap/contract/bio-info.ts';
import { getDashboard } from '@sendlap/contract/dashboard.ts';
import {
  deleteMe,
  EXPORT_ACTIVITIES_PATH,
  EXPORT_PATH,
  getDeletion,
  getSettings,
  restoreMe,
} from '@sendlap/contract/users.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { keepSavedFiles } from '../device/saved-files.ts';
import { AccountModel, BODY } from '../models/account-model.ts';
import { openApp } from '../open-app.ts';
import { NORA } from '../people.ts';
import { expectOnCard, findSheet, typeInto } from '../scenes/profile-screen.ts';
import { answerProvider, signInByProvider } from '../scenes/provider.ts';

const ERASE_AFTER = '2026-11-27T10:30:00.000Z';
const UNTIL_ERASED = [getDashboard, getSettings, getBioInfo, listActivities];

test('both exports are saved as files under the names of the server, and a third download within a day is refused with a sentence', async () => {
  const files = keepSavedFiles();
  const { user, server } = await openApp({ path: '/profile/account' });
  const answer = (text: string, name: string) => () =>
    new Response(text, { headers: { 'content-disposition': `attachment; filename="${name}"` } });
  server.onRaw(EXPORT_PATH, answer('{"email":"nora@example.org"}', 'sendlap-nora.json'));
  server.onRaw(EXPORT_ACTIVITIES_PATH, answer('started_at,ended_at\n', 'sendlap-nora.csv'));
  const everything = await screen.findByRole('button', { name: 'Download everything' });
  await user.click(everything);
  await waitFor(() => expect(files).toHaveLength(1));
  await user.click(await screen.findByRole('button', { name: 'Download activities' }));
  await waitFor(() => expect(files).toHaveLength(2));
  expect(await Promise.all(files.map(async ({ name, file }) => [name, await file.text()]))).toEqual([
    ['sendlap-nora.json', '{"email":"nora@example.org"}'],
    ['sendlap-nora.csv', 'started_at,ended_at\n'],
  ]);

  server.onRaw(EXPORT_PATH, () => new Response('', { status: 429, headers: { 'retry-after': '3600' } }));
  await user.click(await screen.findByRole('button', { name: 'Download everything' }));
  await screen.findByText('You have used both downloads of today. Please come back tomorrow.');
  expect(files).toHaveLength(2);
});

test('a deleted account is locked at once, and signing in again brings it back', async () => {
  const phone = await openApp({
    path: '/profile/account',
    prepare: (server) => new AccountModel(server, NORA, BODY),
  });
  const { user, server } = phone;
  await user.click(await screen.findByRole('button', { name: 'Delete account' }));
  const sheet = await findSheet('Delete your account?');
  const field = within(sheet).getByRole('textbox');
  await typeInto(phone, field, 'other-athlete');
  const confirm = within(sheet).getByRole('button', { name: 'Delete my account' });
  await user.click(confirm);
  expect((await within(sheet).findByRole('alert')).textContent).toBe('That is not your public ID.');
  expect(server.asked(deleteMe)).toEqual([]);
  server.on(deleteMe, () => {
    for (const endpoint of UNTIL_ERASED) server.refuse(endpoint, 'account_locked');
    return { erase_after: ERASE_AFTER };
  });
  await typeInto(phone, field, NORA.public_id);
  await user.click(confirm);
  await screen.findByText(/Your account is locked/);
  expect(window.location.pathname).toBe('/login');
  expect(server.asked(logout)).toHaveLength(1);

  answerProvider(server, NORA);
  server.on(getDeletion, () => ({ erase_after: ERASE_AFTER, is_suspended: false }));
  await signInByProvider(phone);
  await screen.findByRole('heading', { level: 1, name: 'Account locked' });
  await screen.findByText(/erased for good on \w+ \d+ \w+, at \d\d:\d\d/);
  server.on(restoreMe, () => {
    for (const endpoint of UNTIL_ERASED) server.heal(endpoint);
    return { user: NORA };
  });
  screen.getByRole('button', { name: 'Keep my account' }).focus();
  await user.keyboard('{Enter}');
  await screen.findByText('Good to have you back');
  // The screen that comes instead is at the same address.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
  await user.click(await screen.findByRole('link', { name: 'Profile' }));
  await screen.findByText(NORA.public_id);
  await expectOnCard('61.5 kg');
});

test.each([
  ['en', 'Your account is suspended', 'Keep my account'],
  ['es', 'Tu cuenta está suspendida', 'Conservar mi cuenta'],
] as const)('a suspended user reads why, and cannot restore the account, in %s', async (language, title, keep) => {
  await openApp({
    path: '/profile',
    language,
    prepare: (server) => {
      for (const endpoint of UNTIL_ERASED) server.refuse(endpoint, 'account_locked');
      server.on(getMe, () => ({ user: { ...NORA, is_active: false } }));
      server.on(getDeletion, () => ({ erase_after: null, is_suspended: true }));
    },
  });
  await screen.findByText(title);
  expect(screen.queryByRole('button', { name: keep })).toBeNull();
});
