import { authorize, getAuthConfig, login } from '@sendlap/contract/auth.ts';
import { screen } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { openApp } from '../open-app.ts';
import { NORA } from '../people.ts';
import { answerLogin, openLoginForm, submitLoginForm } from '../scenes/login-page.ts';

const CREDENTIALS = { email: NORA.email, password: 'chalk and water 26' };
const BEGUN = { authorization_url: 'https://id.example.org/authorize', state: 's', code_verifier: 'v' };
const WAY_IN = 'Use e-mail and password';
const WITHOUT_SIGN_UP = {
  provider: 'cognito',
  own_provider: false,
  password_login: false,
  password_reset: false,
  sign_up: false,
};

const findSignInButton = () => screen.findByRole('button', { name: 'Sign in' });
const alertText = async () => (await screen.findByRole('alert')).textContent;

test.each([
  [null, '/profile'],
  ['//evil.test/x', '/dashboard'],
  ['/%5cevil.test', '/dashboard'],
  ['javascript:alert(1)', '/dashboard'],
])(
  'a visitor of /profile whose return path is %j by then is on %s after signing in [spec 1.sign-in.direct, 2.access.origin]',
  async (planted, end) => {
    const phone = await openApp({ as: null, path: '/profile', prepare: (server) => answerLogin(server, NORA) });
    await openLoginForm(phone);
    expect(window.location.pathname).toBe('/login');
    if (planted !== null) sessionStorage.setItem('return-path', JSON.stringify({ path: planted, user_id: null }));
    await submitLoginForm(phone, CREDENTIALS);
    await screen.findByRole('navigation');
    expect(window.location.href).toBe(`https://sendlap.test${end}`);
  },
);

test('the form checks its fields before it sends anything, and points at the wrong one [spec 5.form.fields]', async () => {
  const phone = await openApp({ as: null, path: '/login' });
  await openLoginForm(phone);
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('E-mail')));
  const password = screen.getByLabelText<HTMLInputElement>('Password');
  await phone.user.type(password, 'seen');
  const eye = screen.getByRole('button', { name: 'Show password' });
  await phone.user.click(eye);
  expect([eye.getAttribute('aria-pressed'), password.type]).toEqual(['true', 'text']);
  await phone.user.click(eye);
  expect(password.type).toBe('password');

  await submitLoginForm(phone, { email: 'rosa', password: '' });
  await screen.findByText('This is not a complete e-mail address.');
  screen.getByText('Type your password.');
  expect(document.activeElement).toBe(screen.getByLabelText('E-mail'));
  await submitLoginForm(phone, { ...CREDENTIALS, password: '' });
  await vi.waitFor(() => expect(document.activeElement).toBe(password));
  expect(phone.server.asked(login)).toEqual([]);
});

test('the form says why a sign-in failed, in both languages, and works once that is mended [spec 8.auth.login-server]', async () => {
  const phone = await openApp({ as: null, path: '/login' });
  const { server, user } = phone;
  await openLoginForm(phone);
  server.refuse(login, 'credentials_wrong');
  await submitLoginForm(phone, { ...CREDENTIALS, password: 'not my password' });
  expect(await alertText()).toBe('The e-mail or the password is wrong.');
  expect(window.location.pathname).toBe('/login');
  await user.click(screen.getByRole('button', { name: 'Español' }));
  await screen.findByText('El correo o la contraseña no son correctos.');
  await user.click(screen.getByRole('button', { name: 'English' }));
  await screen.findByText('The e-mail or the password is wrong.');

  server.refuse(login, 'too_many_requests', { 'retry-after': '90' });
  await submitLoginForm(phone, CREDENTIALS);
  await screen.findByText('Too many attempts. Try again in 2 minutes.');

  phone.setOnline(false);
  await screen.findByText("You're offline. Signing in needs a connection.");
  for (const name of ['Sign in', 'Other ways to sign in'])
    expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
  phone.setOnline(true);
  await vi.waitFor(async () => expect((await findSignInButton()).matches(':disabled')).toBe(false));
  answerLogin(server, NORA);
  await submitLoginForm(phone, CREDENTIALS);
  await screen.findByRole('navigation');
  expect(window.location.pathname).toBe('/dashboard');
});

test('the form is offered only where the server takes passwords', async () => {
  const ways = { provider: 'cognito', own_provider: false, password_login: false, password_reset: false };
  const { server, user, reload } = await openApp({ as: null, path: '/login' });
  server.on(authorize, () => BEGUN);
  await screen.findByRole('button', { name: WAY_IN });
  server.on(getAuthConfig, () => ways);
  await reload();
  await vi.waitFor(() => expect(server.asked(getAuthConfig)).toHaveLength(2));
  await (await import('#web/features/auth/sign-in-methods.ts')).loadSignInMethods();
  // The page after the answer shows how the app understood it.
  server.hold(authorize);
  await user.click(await findSignInButton());
  await screen.findByRole('button', { name: 'Opening sign-in...' });
  expect(screen.queryByRole('button', { name: WAY_IN })).toBe(null);
});

test('an error of the server is shown on /login and /register, and pressing again helps [spec 8.auth.register-failed]', async () => {
  const { server, user, departures, reload } = await openApp({ as: null, path: '/register' });
  server.replyRaw(authorize, () => new Response('', { status: 418 }));
  await user.click(await screen.findByRole('button', { name: 'Create account' }));
  expect(await alertText()).toBe('Registration failed');
  await reload('/login');
  server.replyRaw(authorize, () => Response.json({ success: true, data: { state: 's' } }));
  await user.click(await findSignInButton());
  expect(await alertText()).toBe('No authorization URL received from backend');
  server.on(authorize, () => BEGUN);
  await user.click(await findSignInButton());
  await vi.waitFor(() => expect(departures.list).toEqual([BEGUN.authorization_url]));
  screen.getByRole('button', { name: 'Opening sign-in...' });
});

test.each([
  ['en', 'Create account', 'Registration failed', 'Opening sign-in...'],
  ['es', 'Crear cuenta', 'No se ha podido crear la cuenta', 'Abriendo el acceso...'],
] as const)(
  'in %s, one tap on "%s" on /login goes to the form of a new account; a failure is shown there',
  async (language, sign_up, failed, opening) => {
    const { server, user, departures } = await openApp({ as: null, path: '/login', language });
    server.replyRaw(authorize, () => new Response('', { status: 418 }));
    await user.click(await screen.findByRole('button', { name: sign_up }));
    expect(await alertText()).toBe(failed);
    server.on(authorize, () => BEGUN);
    await user.click(screen.getByRole('button', { name: sign_up }));
    await vi.waitFor(() => expect(departures.list).toEqual([BEGUN.authorization_url]));
    screen.getByRole('button', { name: opening });
    expect(server.asked(authorize).map(({ query }) => query.signup)).toEqual(['true', 'true']);
    expect(window.location.pathname).toBe('/login');
  },
);

test.each([
  [
    'en',
    'Sign in',
    'Create account',
    'No account yet? Press Sign in and look for “Create account” there.',
    /^Accounts for this app are made at its sign-in service/,
  ],
  [
    'es',
    'Iniciar sesión',
    'Crear cuenta',
    '¿Aún no tienes cuenta? Pulsa Iniciar sesión y busca allí «Crear cuenta».',
    /^Las cuentas de esta app se crean en su servicio de acceso/,
  ],
] as const)(
  'where the provider makes no accounts for us, /login says so in place of that button, and /register says where (%s)',
  async (language, sign_in, sign_up, hint, words) => {
    const prepare = (server: Parameters<typeof answerLogin>[0]) => {
      server.on(getAuthConfig, () => WITHOUT_SIGN_UP);
      server.on(authorize, () => BEGUN);
    };
    const { server, user, departures, reload } = await openApp({ as: null, path: '/login', language, prepare });
    await screen.findByRole('button', { name: sign_in });
    // The hint takes the place of the button: otherwise "Sign in" would move while it is pressed.
    const offer = screen.getByRole('button', { name: sign_up });
    const place = offer.parentElement;
    await screen.findByText(hint);
    expect(screen.queryByRole('button', { name: sign_up })).toBe(null);
    expect(place?.textContent).toBe(hint);
    await reload('/register');
    expect((await screen.findByText(words)).closest('[role=status]')).not.toBe(null);
    await user.click(await screen.findByRole('button', { name: sign_in }));
    await vi.waitFor(() => expect(departures.list).toEqual([BEGUN.authorization_url]));
    expect(server.asked(authorize).map(({ query }) => query.signup)).toEqual([undefined]);
  },
);

test('a focused "Create account" gives the focus to the hint that replaces it', async () => {
  const { server } = await openApp({
    as: null,
    path: '/login',
    prepare: (fresh) => fresh.on(getAuthConfig, () => WITHOUT_SIGN_UP),
  });
  const held = server.hold(getAuthConfig);
  (await screen.findByRole('button', { name: 'Create account' })).focus();
  await held.arrived;
  held.release();
  const hint = await screen.findByText(/^No account yet\?/);
  await vi.waitFor(() => expect(document.activeElement).not.toBe(document.body));
  expect(document.activeElement?.textContent).toBe(hint.textContent);
});

test('on /register a focused link to the sign-in gives its focus to the ways that remain when it is removed', async () => {
  const { server } = await openApp({
    as: null,
    path: '/register',
    prepare: (fresh) => fresh.on(getAuthConfig, () => WITHOUT_SIGN_UP),
  });
  const held = server.hold(getAuthConfig);
  const link = await screen.findByRole('link', { name: 'Already have an account? Sign in' });
  link.focus();
  await held.arrived;
  held.release();
  const words = await screen.findByText(/^Accounts for this app are made/);
  expect(link.isConnected).toBe(false);
  await vi.waitFor(() => expect(document.activeElement).not.toBe(document.body));
  expect(document.activeElement?.contains(words)).toBe(true);
});
