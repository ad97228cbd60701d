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

const ASK = 'How old are you?';
const BODY_TITLE = 'Your body data';
const NAME_TITLE = 'What should boards call you?';

/** The card that asks for body data. */
const findCard = (name = ASK) => screen.findByRole('region', { name });
const queryCard = () => screen.queryByRole('region', { name: ASK });

/** Time for all reads that come before the questions. */
const READS_MS = 5_000;

test('a new athlete is asked nothing at the first start, and on the boards once; corrects what can not be, saves, and finds it on the profile [spec 1.audience.account, 4.bio-info.first-time, 8.bio-info.first-time]', async () => {
  let account: AccountModel | undefined;
  const phone = await openApp({
    now: '2026-11-20T10:00:00Z',
    prepare: (server) => {
      account = new AccountModel(server, NORA);
    },
  });
  const { user } = phone;
  await screen.findByRole('heading', { name: 'Your first points are nearby' });
  followLink('/profile');
  // From here on, the app knows that the server has no body data.
  await within(await bodyCard()).findByRole('button', { name: 'Add body data' });
  for (const path of ['/profile', '/dashboard']) {
    followLink(path);
    await screen.findByRole('heading', { level: 1, name: path === '/profile' ? 'Profile' : 'Hi, Nora' });
    await phone.passTime(READS_MS);
    expect([screen.queryByRole('dialog'), queryCard()]).toEqual([null, null]);
  }

  followLink('/leaderboards');
  const card = await findCard();
  expect(card.textContent).toContain('Under-16s are not shown on public boards');
  // In the screen, where it covers no row of the board.
  expect(screen.getByRole('main').contains(card)).toBe(true);
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(within(card).getByRole('button', { name: 'Add body data' }));
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
  followLink('/leaderboards');
  await phone.passTime(READS_MS);
  expect([screen.queryByRole('dialog'), queryCard()]).toEqual([null, null]);
});

test('the first start asks an athlete without a name for boards for one', async () => {
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
  await user.click(within(sheet).getByRole('button', { name: 'Save' }));
  expect((await within(sheet).findByRole('alert')).textContent).toBe('It needs at least one character.');
  expect(account?.settings().display_name).toBeNull();
  await typeInto(phone, name, 'Nora  the Wall');
  await user.click(within(sheet).getByRole('button', { name: 'Save' }));
  await expectGone(sheet);
  await screen.findByRole('heading', { name: 'Nora the Wall' });
  await phone.reload();
  await screen.findByRole('heading', { name: 'Nora the Wall' });
  expect(account?.settings().display_name).toBe('Nora the Wall');
});

test('"Later" for the name holds over a restart, and leaves the question of body data for the boards', async () => {
  const phone = await openApp({
    now: '2026-11-20T10:00:00Z',
    prepare: (server) => new AccountModel(server, NORA).forgetDisplayName(),
  });
  const sheet = await findSheet(NAME_TITLE);
  await phone.user.click(within(sheet).getByRole('button', { name: 'Later' }));
  await expectGone(sheet);
  await phone.reload('/leaderboards');
  await findCard();
  await phone.passTime(READS_MS);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a declined question of body data stays away over a restart, until the next sign-in', async () => {
  const phone = await openApp({
    path: '/leaderboards',
    now: '2026-11-20T10:00:00Z',
    prepare: (server) => new AccountModel(server, NORA),
  });
  const { user, server } = phone;
  // A sheet that is closed without an answer declines nothing.
  await user.click(within(await findCard()).getByRole('button', { name: 'Add body data' }));
  const sheet = await findSheet(BODY_TITLE);
  await waitFor(() => expect(document.activeElement === sheet).toBe(true));
  await user.keyboard('{Escape}');
  await expectGone(sheet);
  const card = await findCard();
  await user.click(within(card).getByRole('button', { name: 'No, thanks' }));
  await expectGone(card);
  await phone.reload('/leaderboards');
  await screen.findByRole('heading', { level: 1, name: 'Ranks' });
  await phone.passTime(READS_MS);
  expect(queryCard()).toBeNull();

  followLink('/profile');
  await within(await bodyCard()).findByRole('button', { name: 'Add body data' });
  await user.click(screen.getByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(window.location.pathname).toBe('/login'));
  answerProvider(server, NORA);
  await signInByProvider(phone);
  await screen.findByRole('navigation');
  followLink('/leaderboards');
  await findCard();
});

test('from the first points on, and when friends see where the athlete trains, the age matters on Home and the profile too', async () => {
  let account: AccountModel | undefined;
  const swim = activityOf(1, POOL, { ended_at: '2026-11-20T10:05:00.000Z' });
  let activities: ActivityModel | undefined;
  const phone = await openApp({
    language: 'es',
    now: '2026-11-20T10:20:00Z',
    prepare: (server) => {
      answerCenter(server);
      account = new AccountModel(server, NORA);
      activities = new ActivityModel(server, [POOL], [swim]);
    },
  });
  const spanish = '¿Cuántos años tienes?';
  await screen.findAllByText('La Cebada', { exact: false });
  await phone.passTime(READS_MS);
  expect(screen.queryByRole('region', { name: spanish })).toBeNull();
  await phone.server.stream.opened();
  activities?.changeAndNotify(swim.client_id, { status: 'validated', validation: 'referee', points: 60 });
  expect((await findCard(spanish)).textContent).toContain('Los menores de 16 no salen en las clasificaciones');
  activities?.changeAndNotify(swim.client_id, { status: 'finished', validation: 'none', points: 0 });
  await waitFor(() => expect(screen.queryByRole('region', { name: spanish })).toBeNull());

  followLink('/profile');
  await phone.user.click(await screen.findByRole('switch', { name: /amigos/ }));
  await findCard(spanish);
  expect(account?.settings().presence).toBe(true);
});

test('the question of body data waits for the scanner, and comes back after it', async () => {
  await openApp({ path: '/leaderboards', prepare: (server) => new AccountModel(server, NORA) });
  const card = await findCard();
  followLink('/qr/scan');
  await expectGone(card);
  followLink('/leaderboards');
  await findCard();
});

test('the question of the name waits for the scanner, and comes back after it', async () => {
  await openApp({ prepare: (server) => new AccountModel(server, NORA).forgetDisplayName() });
  const sheet = await findSheet(NAME_TITLE);
  followLink('/qr/scan');
  await expectGone(sheet);
  followLink('/leaderboards');
  await findSheet(NAME_TITLE);
});

test('the question of the name stays away from an app that opens on the scanner', async () => {
  const { passTime } = await openApp({
    path: '/qr/scan',
    now: '2026-11-20T10:00:00Z',
    prepare: (server) => new AccountModel(server, NORA).forgetDisplayName(),
  });
  await passTime(READS_MS);
  expect(screen.queryByRole('dialog', { name: NAME_TITLE })).toBeNull();
  followLink('/leaderboards');
  await findSheet(NAME_TITLE);
});

test('the questions stay away from a second phone while an activity runs that only the server knows', async () => {
  const { passTime } = await openApp({
    now: '2026-11-20T10:20:00Z',
    prepare(server) {
      answerCenter(server);
      new AccountModel(server, NORA).forgetDisplayName();
      new ActivityModel(server, [POOL], [activityOf(1, POOL, { status: 'active', ended_at: null })]);
    },
  });
  await screen.findAllByText('La Cebada', { exact: false });
  await passTime(READS_MS);
  expect(screen.queryByRole('dialog', { name: NAME_TITLE })).toBeNull();
});

test('the questions wait for a running activity, and come when it is over', async () => {
  const swim = activityOf(1, POOL, { ended_at: '2026-11-20T10:05:00.000Z' });
  let activities: ActivityModel | undefined;
  const { server } = await openApp({
    path: '/leaderboards',
    now: '2026-11-20T10:20:00Z',
    prepare: (fake) => {
      answerCenter(fake);
      new AccountModel(fake, NORA);
      activities = new ActivityModel(fake, [POOL], [swim]);
    },
  });
  const card = await findCard();
  await server.stream.opened();
  activities?.changeAndNotify(swim.client_id, { status: 'active', ended_at: null });
  await expectGone(card);
  activities?.changeAndNotify(swim.client_id, { status: 'finished', ended_at: '2026-11-20T10:20:00.000Z' });
  await findCard();
});
