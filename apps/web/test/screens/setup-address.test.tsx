import { authorize, logout } from '@sendlap/contract/auth.ts';
import { redeemOperatorInvite } from '@sendlap/contract/operators.ts';
import { getServerOverview } from '@sendlap/contract/server-management/overview.ts';
import { getServerProfile, type ServerProfile, updateServerProfile } from '@sendlap/contract/server-profile.ts';
import { screen, waitFor } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { OVERVIEW } from '../models/server-management-model.ts';
import { SERVER_PROFILE } from '../models/signed-in.ts';
import { openApp, type Phone } from '../open-app.ts';
import { EVE, NORA } from '../people.ts';
import { answerLogin, openLoginForm, submitLoginForm } from '../scenes/login-page.ts';
import { asAthlete, expectFocusOnHeading, openSetup, step } from '../scenes/setup-page.ts';

const CODE = 'abcd-efgh-jkmn';
const ADDRESS = `/setup#${CODE}`;
const NEW_CODE = 'npqr-stuv-wxyz';

/** Pastes a set-up address into the tab that shows another one: only the fragment changes, so no page is loaded. */
function pasteCode(code: string): void {
  window.location.hash = code;
}

/** Confirms the question that is asked before the code is sent. */
async function becomeOperator({ user }: Pick<Phone, 'user'>): Promise<void> {
  await user.click(await screen.findByRole('button', { name: 'Become the operator' }));
}

describe('an account that is not the operator', () => {
  test('reads at a used or expired address that it no longer works, and how another one is made', async () => {
    const { server, user } = await openSetup({
      path: ADDRESS,
      change: asAthlete,
      prepare: (fake) => fake.refuse(redeemOperatorInvite, 'invite_invalid'),
    });
    await becomeOperator({ user });
    await screen.findByRole('heading', { name: 'This address no longer works' });
    await expectFocusOnHeading('This address no longer works');
    screen.getByText('npm run sendlap -- operators invite');
    expect(server.asked(redeemOperatorInvite).length).toBe(1);
    expect(server.asked(updateServerProfile)).toEqual([]);
  });

  test('reads the same if the server accepts the used address, but the right was revoked', async () => {
    const phone = await openSetup({
      path: ADDRESS,
      change: asAthlete,
      prepare: (fake) => fake.on(redeemOperatorInvite, () => ({ is_operator: false })),
    });
    await becomeOperator(phone);
    await screen.findByRole('heading', { name: 'This address no longer works' });
  });

  test('pastes the new address into the same tab and becomes the operator; each code is sent once', async () => {
    const { server, user } = await openSetup({
      path: ADDRESS,
      change: asAthlete,
      prepare: (fake) => fake.refuse(redeemOperatorInvite, 'invite_invalid'),
    });
    await becomeOperator({ user });
    await screen.findByRole('heading', { name: 'This address no longer works' });
    server.heal(redeemOperatorInvite);
    pasteCode(NEW_CODE);
    await becomeOperator({ user });
    await step('Name');
    expect(server.asked(redeemOperatorInvite).map(({ body }) => body.code)).toEqual([CODE, NEW_CODE]);
  });

  test('reads without a code that the page is for the operator, and sends nothing', async () => {
    const { server } = await openSetup({ change: asAthlete });
    await screen.findByRole('heading', { name: 'This page is for the operator' });
    expect(server.asked(redeemOperatorInvite)).toEqual([]);
  });

  test('finds no link to it in the profile; an operator does', async () => {
    const link = { name: /^Manage this server/ };
    const { model, user } = await openSetup({
      path: '/profile',
      change: asAthlete,
      prepare: (server) => server.on(getServerOverview, () => OVERVIEW),
    });
    await screen.findByRole('link', { name: /^Friends/ });
    expect(screen.queryByRole('link', link)).toBeNull();
    model.is_operator = true;
    await user.click(screen.getByRole('link', { name: 'Home' }));
    await user.click(await screen.findByRole('link', { name: 'Profile' }));
    await user.click(await screen.findByRole('link', link));
    await user.click(await screen.findByRole('link', { name: /^Set up this server/ }));
    await screen.findByRole('heading', { level: 1, name: 'Set up this server' });
  });
});

const BEGUN = { authorization_url: 'https://id.example.org/authorize', state: 's', code_verifier: 'v' };

test('an address whose code could not be sent can be sent again', async () => {
  const { server, user } = await openSetup({
    path: ADDRESS,
    change: asAthlete,
    prepare: (fake) => fake.fail(redeemOperatorInvite),
  });
  await becomeOperator({ user });
  await screen.findByRole('alert');
  server.heal(redeemOperatorInvite);
  await becomeOperator({ user });
  await step('Name');
  // The code is used up, so the address forgets it.
  expect(window.location.hash).toBe('');
  expect(server.asked(redeemOperatorInvite).at(-1)?.body).toEqual({ code: CODE });
  expect(document.activeElement?.tagName).not.toBe('BODY');
});

test.each([
  ['en', 'Become the operator as Nora?', 'Use another account'],
  ['es', '¿Administrar el servidor como Nora?', 'Usar otra cuenta'],
] as const)(
  'an address sends nothing before the athlete confirms, and another account can use it, in %s',
  async (language, question, other) => {
    const { server, user } = await openSetup({ path: ADDRESS, language, change: asAthlete });
    await screen.findByRole('heading', { name: question });
    screen.getByText(NORA.email);
    await user.click(screen.getByRole('button', { name: other }));
    await waitFor(() => expect(window.location.pathname).toBe('/login'));
    expect(server.asked(redeemOperatorInvite)).toEqual([]);
    expect(server.asked(logout).length).toBe(1);
  },
);

test('the account that signs in after “Use another account” is asked at the same address', async () => {
  const phone = await openSetup({
    path: ADDRESS,
    change: asAthlete,
    prepare: (server) => answerLogin(server, EVE),
  });
  await phone.user.click(await screen.findByRole('button', { name: 'Use another account' }));
  await openLoginForm(phone);
  await submitLoginForm(phone, { email: EVE.email, password: 'chalk and water 26' });
  await screen.findByRole('heading', { name: 'Become the operator as Eve?' });
  expect(window.location.hash).toBe(`#${CODE}`);
});

test.each([
  ['en', 'Set up your Sendlap', 'Create account'],
  ['es', 'Configura tu Sendlap', 'Crear cuenta'],
] as const)(
  'a visitor at a set-up address is one tap from the form of a new account, in %s',
  async (language, title, sign_up) => {
    const { server, user, departures } = await openApp({ path: ADDRESS, as: null, language });
    server.on(authorize, () => BEGUN);
    await screen.findByRole('heading', { level: 1, name: title });
    await user.click(screen.getByRole('button', { name: sign_up }));
    await waitFor(() => expect(departures.list).toEqual([BEGUN.authorization_url]));
    expect(server.asked(authorize).map(({ query }) => query.signup)).toEqual(['true']);
    // After the sign-in, the way back keeps the code.
    expect(sessionStorage.getItem('return-path')).toContain(ADDRESS);
  },
);

test.each([
  ['en', 'I have an account'],
  ['es', 'Ya tengo cuenta'],
] as const)('a visitor at a set-up address who has an account is led to the sign-in, in %s', async (language, link) => {
  const { user } = await openApp({ path: ADDRESS, as: null, language });
  await user.click(await screen.findByRole('link', { name: link }));
  await waitFor(() => expect(window.location.pathname).toBe('/login'));
  expect(sessionStorage.getItem('return-path')).toContain(ADDRESS);
});

test('a visitor who pastes a new set-up address into the same tab returns to that one', async () => {
  const { user } = await openApp({ path: ADDRESS, as: null });
  await screen.findByRole('heading', { level: 1, name: 'Set up your Sendlap' });
  pasteCode(NEW_CODE);
  await waitFor(() => expect(sessionStorage.getItem('return-path')).toContain(NEW_CODE));
  await user.click(await screen.findByRole('link', { name: 'I have an account' }));
  await waitFor(() => expect(window.location.pathname).toBe('/login'));
  expect(sessionStorage.getItem('return-path')).toContain(NEW_CODE);
});

test('a visitor without a code is sent to sign in, and promised nothing', async () => {
  await openApp({ path: '/setup', as: null });
  await waitFor(() => expect(window.location.pathname).toBe('/login'));
  expect(screen.queryByText(/operator/)).toBeNull();
});

describe('the sign-in page', () => {
  const openLogin = (profile: Partial<ServerProfile>, language: 'en' | 'es' = 'en') =>
    openApp({
      path: '/login',
      as: null,
      language,
      prepare: (server) => server.on(getServerProfile, () => ({ ...SERVER_PROFILE, ...profile })),
    });

  test.each([
    ['en', /^This server waits for its operator/],
    ['es', /^Este servidor aún no tiene quien lo administre/],
  ] as const)('says that the server waits for its operator, in %s', async (language, text) => {
    await openLogin({ is_waiting_for_operator: true }, language);
    await screen.findByText(text);
  });

  test('shows whose server it is, and works without that answer', async () => {
    await openLogin({ name: 'Club Bilbao' });
    // A narrow screen cuts a long name.
    expect((await screen.findByText('· Club Bilbao')).title).toBe('Club Bilbao');
    const { server, reload } = await openApp({ path: '/login', as: null });
    server.fail(getServerProfile);
    await reload('/login');
    await screen.findByRole('button', { name: 'Sign in' });
  });
});
