import { completeSignIn, getMe, refresh } from '@sendlap/contract/auth.ts';
import { screen } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import type { SessionMessage } from '#web/shared/api/session-channel.ts';
import { ActivityModel, activityOf } from '../models/activity-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { answerSignedIn, tokensOf } from '../models/signed-in.ts';
import { openApp } from '../open-app.ts';
import { EVE, NORA } from '../people.ts';
import { followLink } from '../scenes/follow-link.ts';
import { answerLogin, openLoginForm, submitLoginForm } from '../scenes/login-page.ts';

const ACTIVITY = activityOf(1, POOL);
/** One screen of every kind behind the sign-in, with its heading. */
const INSIDE: Record<string, string> = {
  '/dashboard': 'Hi, Nora',
  '/sport-centers': 'Sport Centers',
  [`/sport-centers/${POOL.id}`]: POOL.name,
  [`/activities/${ACTIVITY.client_id}`]: 'Swimming',
  '/qr/scan': 'Scan a code',
  '/qr/generate': 'My codes',
  '/leaderboards': 'Ranks',
  '/badges': 'Badges',
  '/recap': 'Your recap',
  '/profile': 'Profile',
  '/profile/devices': 'Where you are signed in',
  '/profile/account': 'Your data',
};

/** They have a way back instead of the navigation. */
const FILLS_SCREEN = new Set(['/qr/scan', '/qr/generate']);

const PUBLIC = { '/login': 'Sign in', '/register': 'Create account' };

/** Sends a message about the session, as another tab of this browser does. */
function tellTabs(message: SessionMessage): void {
  const tab = new BroadcastChannel('sendlap-session');
  tab.postMessage(message);
  tab.close();
}

function whereIs(): string {
  return window.location.pathname;
}

test('a visitor of any signed-in screen, and of /, is sent to sign in; /login and /register open [spec 6.role.anonymous, 2.access.redirect, 2.root.anonymous, 2.route.root, 2.route.register]', async () => {
  await openApp({ as: null, path: '/profile' });
  for (const path of [...Object.keys(INSIDE), '/']) {
    followLink(path);
    await vi.waitFor(() => expect(whereIs(), path).toBe('/login'));
    await screen.findByRole('button', { name: 'Sign in' });
    expect(screen.queryByRole('navigation')).toBe(null);
  }
  for (const [path, name] of Object.entries(PUBLIC)) {
    followLink(path);
    await screen.findByRole('button', { name });
    expect(whereIs()).toBe(path);
  }
});

test('a signed-in athlete reaches every screen [spec 6.role.signed-in, 2.route.dashboard, 2.route.sport-centers, 2.route.profile, 2.route.leaderboards, 2.route.qr-scan, 2.route.qr-generate]', async () => {
  await openApp({
    prepare: (server) => {
      answerCenter(server);
      new ActivityModel(server, [POOL], [ACTIVITY]);
    },
  });
  for (const [path, name] of Object.entries(INSIDE)) {
    followLink(path);
    await screen.findByRole('heading', { level: 1, name });
    expect(whereIs()).toBe(path);
    // The sign-out is in the profile.
    const to_profile = document.querySelectorAll('nav a[href="/profile"]').length;
    expect([path, to_profile]).toEqual([path, FILLS_SCREEN.has(path) ? 0 : 1]);
  }
});

test('on /login, /register and the callback the start does not ask who is signed in, elsewhere it does [spec 2.route.auth-callback, 2.start-check.login, 2.start-check.register, 2.start-check.callback, 4.start-up.skip, 4.start-up.fetch]', async () => {
  const phone = await openApp({ as: null, path: '/register', prepare: (server) => answerLogin(server, NORA) });
  const { server, user } = phone;
  await user.click(await screen.findByRole('link', { name: /Sign in$/ }));
  await openLoginForm(phone);
  await submitLoginForm(phone, { email: NORA.email, password: 'chalk and water 26' });
  await screen.findByRole('navigation');
  expect([server.asked(getMe), server.asked(refresh)]).toEqual([[], []]);

  server.on(completeSignIn, () => ({ user: NORA, tokens: tokensOf(NORA) }));
  await phone.reload('/auth/callback?code=x&state=x');
  await screen.findByRole('navigation');
  expect([server.asked(getMe), server.asked(refresh)]).toEqual([[], []]);

  server.on(refresh, () => tokensOf(NORA));
  await phone.reload('/dashboard');
  await vi.waitFor(() => expect(server.asked(getMe)).not.toEqual([]));
});

test('a tab that shows one athlete starts over when another signs in beside it', async () => {
  const { server, departures, reload } = await openApp({ path: '/profile' });
  await screen.findByText(NORA.email);
  tellTabs({ type: 'signed_in', user_id: EVE.id });
  await vi.waitFor(() => expect(departures.list).toEqual(['/']));
  answerSignedIn(server, EVE);
  await reload('/profile');
  await screen.findByRole('heading', { level: 2, name: 'Eve' });
  expect(screen.queryByText(/\bNora\b/)).toBe(null);
});

test('an athlete whose session ended reads why at sign-in, and comes back to the same screen', async () => {
  const phone = await openApp({ path: '/leaderboards' });
  await screen.findByRole('heading', { level: 1, name: 'Ranks' });
  phone.server.refuse(getMe, 'unauthenticated');
  phone.server.refuse(refresh, 'refresh_invalid');
  await phone.reload();
  // The board may also have reported that its request was refused.
  await vi.waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe('Authentication failed - please login again'),
  );
  expect(whereIs()).toBe('/login');
  answerLogin(phone.server, NORA);
  await openLoginForm(phone);
  await submitLoginForm(phone, { email: NORA.email, password: 'chalk and water 26' });
  await screen.findByRole('heading', { level: 1, name: 'Ranks' });
  expect(whereIs()).toBe('/leaderboards');
});
