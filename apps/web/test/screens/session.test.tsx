import { syncActivities } from '@sendlap/contract/activities.ts';
import { authorize, completeSignIn, getMe, logout, refresh } from '@sendlap/contract/auth.ts';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import { getLeaderboard } from '@sendlap/contract/leaderboards.ts';
import { EXPORT_PATH } from '@sendlap/contract/users.ts';
import { screen, waitForElementToBeRemoved } from '@testing-library/dom';
import { deleteDB } from 'idb';
import { expect, test, vi } from 'vitest';
import { createDpopProof } from '#web/shared/device/session-key.ts';
import { savePreferredLanguage } from '#web/shared/i18n/language.ts';
import { findTraces, readStores } from '../device/browser-stores.ts';
import { failure, Refusal } from '../models/fake-server.ts';
import { answerSignedIn, tokensOf } from '../models/signed-in.ts';
import { openApp } from '../open-app.ts';
import { NORA } from '../people.ts';
import { openAppWithActivities, startSwimming } from '../scenes/activity-scene.ts';

const UNREACHED = "We can't reach the server. You see the data saved on this device.";

test('a session that was ended elsewhere ends with the next call, and the athlete reads why', async () => {
  // The live stream is closed: it ends with the session, and would notice that before this call.
  const { server, user } = await openApp({ prepare: (fake) => fake.stream.setOpen(false) });
  const ranks = await screen.findByRole('link', { name: 'Ranks' });
  server.refuse(getLeaderboard, 'unauthenticated');
  server.refuse(refresh, 'refresh_invalid');
  await user.click(ranks);
  expect((await screen.findByRole('alert')).textContent).toMatch(/login again/);
  expect(window.location.pathname).toBe('/login');
});

const askForSignIn = () => failure(new Refusal('reauthentication_required'), Date.now());

async function expectReauthentication(): Promise<void> {
  expect((await screen.findByRole('alert')).textContent).toMatch(/Re-authentication required/);
  expect(window.location.pathname).toBe('/login');
}

test('a 403 of the live stream asks for a new sign-in, as that of any other call', async () => {
  await openApp({ prepare: (server) => server.onRaw(EVENTS_PATH, askForSignIn) });
  await expectReauthentication();
});

test('a 403 of an export asks for a new sign-in, that of a portal does not', async () => {
  const { server, user } = await openApp({ path: '/profile/account' });
  const download = await screen.findByRole('button', { name: 'Download everything' });
  server.onRaw(EXPORT_PATH, () => new Response('<h1>Welcome</h1>', { status: 403 }));
  await user.click(download);
  await screen.findByRole('alert');
  expect(window.location.pathname).toBe('/profile/account');
  server.onRaw(EXPORT_PATH, askForSignIn);
  await user.click(download);
  await vi.waitFor(() => expect(window.location.pathname).toBe('/login'));
  await expectReauthentication();
});

test.each([
  ['en', /^Waiting on this device: 1 activity\. Nothing is lost: it is all sent when you sign in\.$/],
  [
    'es',
    /^Pendiente de enviar en este dispositivo: 1 actividad\. No se ha perdido nada: se enviará todo cuando inicies sesión\.$/,
  ],
] as const)(
  'a user who loses a session reads at the sign-in how much waits on this device: %s',
  async (language, words) => {
    const phone = await openAppWithActivities();
    const { server, reload } = phone;
    await screen.findByRole('button', { name: 'Start swimming' });
    server.refuse(syncActivities, 'unauthenticated');
    server.refuse(refresh, 'refresh_invalid');
    await startSwimming(phone);
    await screen.findByRole('alert');
    savePreferredLanguage(language);
    await reload();
    await screen.findByText(words);
  },
);

test.each([200, 401, 403, 404, 511])(
  'behind a portal that answers everything with a page (%s) the user stays signed in and sees the copies, and the ops are sent once it is passed',
  async (status) => {
    const phone = await openAppWithActivities();
    const { server, reload, passTime } = phone;
    await screen.findByRole('button', { name: 'Start swimming' });
    await server.stream.opened();
    server.setPortal(status);
    const center_path = window.location.pathname;
    await startSwimming(phone);
    await screen.findByRole('timer');
    const activity_path = window.location.pathname;
    await reload(center_path);
    await screen.findByRole('link', { name: /^An activity is already running/ });
    await reload(activity_path);
    await screen.findByRole('timer');
    expect(phone.activities.list()).toEqual([]);
    // The device never lost its network, so only the app itself can find out that the portal is gone.
    server.setPortal(null);
    await passTime(3_000);
    await screen.findByText(/Saved on the server$/);
    expect(phone.activities.list().map(({ status }) => status)).toEqual(['active']);
  },
);

test('with the server down the app opens with its copies, says so, and keeps the athlete signed in', async () => {
  const { server, user, reload, passTime } = await openApp({ path: '/profile', now: '2026-11-20T10:00:00Z' });
  await screen.findByText(NORA.email);
  server.setDown(true);
  await reload();
  // The app retries before it reports the failure.
  await vi.waitFor(async () => {
    await passTime(1000);
    screen.getByText(UNREACHED);
  });
  await screen.findByText(NORA.email);
  expect(window.location.pathname).toBe('/profile');
  server.setDown(false);
  await reload();
  await user.click(await screen.findByRole('link', { name: 'Ranks' }));
  await screen.findByRole('heading', { level: 1, name: 'Ranks' });
  expect(screen.queryByText(UNREACHED)).toBe(null);
});

test('an athlete whose phone has lost its copies and has no network stays signed in, and trains on', async () => {
  const phone = await openAppWithActivities();
  await startSwimming(phone);
  await screen.findByText(/Saved on the server$/);
  phone.setOnline(false);
  await deleteDB('sendlap-cache');
  await phone.reload();
  await screen.findByRole('button', { name: 'Finish' });
  await phone.reload('/dashboard');
  await screen.findByRole('heading', { level: 1, name: 'Hi, Nora' });
});

test('a sign-out that fails after the app has left for /login shows its error there', async () => {
  const { server, user, reload } = await openApp({ path: '/profile' });
  await screen.findByText(NORA.email);
  // The page is still loading the user when the tap comes, and leaves because of that answer.
  const [me, ending] = [server.hold(getMe), server.hold(logout)];
  server.refuse(getMe, 'unauthenticated');
  server.replyRaw(logout, () => new Response('', { status: 500 }));
  await reload();
  await me.arrived;
  await user.click(await screen.findByRole('button', { name: 'Sign out' }));
  await ending.arrived;
  me.release();
  await screen.findByRole('button', { name: 'Sign in' });
  expect(screen.queryByRole('alert')).toBe(null);
  ending.release();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('Logout failed, but you have been logged out locally');
});

test.each([
  ['en', 'Sign out', /^You're signed out of Sendlap, but the sign-in service may still know this browser\./],
  [
    'es',
    'Cerrar sesión',
    /^Has salido de Sendlap, pero el servicio de acceso puede seguir reconociendo este navegador\./,
  ],
] as const)('a sign-out that the provider cannot share says so at /login (%s)', async (language, button, words) => {
  const { server, user } = await openApp({ path: '/profile', language });
  server.on(logout, () => ({ logout_url: null, provider_session_open: true }));
  await user.click(await screen.findByRole('button', { name: button }));
  expect((await screen.findByText(words)).closest('[role=status]')).not.toBe(null);
  expect(window.location.pathname).toBe('/login');
});

test('without a network the app says that the device is offline, not that the server is down', async () => {
  const phone = await openApp();
  await screen.findByRole('navigation');
  phone.setOnline(false);
  await phone.reload();
  const bar = await screen.findByText("You're offline - Changes will sync when you're back online");
  expect(screen.queryByText(UNREACHED)).toBe(null);
  const gone = waitForElementToBeRemoved(bar);
  phone.setOnline(true);
  await gone;
});

test('the verifier is in session storage under its state from leaving for the provider until coming back [spec 3.verifier.key]', async () => {
  const signed_in = { state: 'state-7c1d', code_verifier: 'verifier-93ab' };
  const { server, user, departures, reload } = await openApp({ as: null, path: '/login' });
  const way_in = await screen.findByRole('button', { name: 'Sign in' });
  expect(Object.keys(sessionStorage)).toEqual([]);
  server.on(authorize, () => ({ authorization_url: 'https://id.example.org/authorize', ...signed_in }));
  await user.click(way_in);
  await vi.waitFor(() => expect(departures.list).toEqual(['https://id.example.org/authorize']));
  const kept = Object.entries(sessionStorage);
  expect(kept).toEqual([[expect.stringContaining(signed_in.state), expect.stringContaining(signed_in.code_verifier)]]);

  server.on(completeSignIn, () => ({ user: NORA, tokens: tokensOf(NORA) }));
  answerSignedIn(server, NORA);
  await reload(`/auth/callback?code=c&state=${signed_in.state}`);
  await screen.findByRole('navigation');
  expect(server.asked(completeSignIn).map(({ body }) => body)).toEqual([{ code: 'c', ...signed_in }]);
  expect(findTraces(await readStores(), signed_in)).toEqual([]);
});

test('a browser that was killed right after a sign-in, and has kept nothing but its key, is signed in again', async () => {
  const { server, reload } = await openApp({ as: null, path: '/login' });
  await screen.findByRole('button', { name: 'Sign in' });
  answerSignedIn(server, NORA);
  await reload('/dashboard');
  await screen.findByRole('button', { name: 'Sign in' });
  expect(server.asked(refresh)).toEqual([]);
  await createDpopProof({ method: 'POST', url: 'https://sendlap.test/', now_ms: Date.now() });
  await reload('/dashboard');
  await screen.findByRole('heading', { level: 1, name: 'Hi, Nora' });
  expect(server.asked(refresh)).toHaveLength(1);
});
