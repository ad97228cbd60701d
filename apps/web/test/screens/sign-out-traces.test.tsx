import { listActivities } from '@sendlap/contract/activities.ts';
import { logout } from '@sendlap/contract/auth.ts';
import { getDashboard } from '@sendlap/contract/dashboard.ts';
import { listMyRefereeRights } from '@sendlap/contract/referees.ts';
import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { findTraces, readStores } from '../device/browser-stores.ts';
import { ActivityModel } from '../models/activity-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { sealingKeyOf } from '../models/sealing-model.ts';
import { DEVICE_KEY_ID, tokensOf } from '../models/signed-in.ts';
import { openApp, type Phone } from '../open-app.ts';
import { athlete } from '../people.ts';
import { answerLogin, openLoginForm, submitLoginForm } from '../scenes/login-page.ts';

const NOW = '2026-11-20T10:00:00Z';
/** Names that do not occur in the app's texts. */
const FIRST = athlete('Kazimierska', 7, { public_id: 'kz.public', email: 'kz.mail@example.org' });
const SECOND = athlete('Wolfenbrink', 8);
const CANARIES = {
  'user id': FIRST.id,
  'public id': FIRST.public_id,
  'e-mail': FIRST.email,
  name: FIRST.name,
  'sealing key': sealingKeyOf(FIRST).public_key,
  'device key id': DEVICE_KEY_ID,
};

/** Opens the app at the pool, with a key for codes on the device. */
async function openAtPool(): Promise<Phone> {
  const phone = await openApp({
    as: FIRST,
    path: `/sport-centers/${POOL.id}`,
    now: NOW,
    prepare(server) {
      answerCenter(server);
      new ActivityModel(server, [POOL]);
    },
  });
  await screen.findByRole('button', { name: 'Start swimming' });
  await vi.waitFor(async () => expect(await namesLeft(CANARIES)).toEqual(Object.keys(CANARIES)));
  return phone;
}

/** Returns the id of the activity. */
async function startSwimming({ user }: Phone): Promise<string> {
  await user.click(screen.getByRole('button', { name: 'Start swimming' }));
  await screen.findByRole('button', { name: 'Finish' });
  return window.location.pathname.split('/').at(-1) ?? '';
}

/** Returns which of the texts are in any store. */
async function namesLeft(canaries: Record<string, string>): Promise<string[]> {
  const traces = findTraces(await readStores(), canaries);
  return Object.keys(canaries).filter((name) => traces.some((trace) => trace.startsWith(`${name} in `)));
}

async function tracesOf(canaries: Record<string, string>): Promise<string[]> {
  return findTraces(await readStores(), canaries);
}

async function expectNoTrace(canaries: Record<string, string>): Promise<void> {
  await vi.waitFor(async () => expect(await tracesOf(canaries)).toEqual([]));
}

async function signOut({ user }: Phone): Promise<void> {
  await user.click(screen.getByRole('link', { name: /^Profile/ }));
  await user.click(await screen.findByRole('button', { name: 'Sign out' }));
}

async function waitForLogin(): Promise<void> {
  await screen.findByRole('button', { name: 'Sign in' });
  expect(window.location.pathname).toBe('/login');
}

test.each(['online', 'offline'])(
  'signing out %s as one athlete and in as another leaves no trace of the first in any store; access tokens never are in one [spec 3.access-token.memory]',
  async (network) => {
    const phone = await openAtPool();
    const { server, user } = phone;
    const canaries: Record<string, string> = { ...CANARIES, 'activity id': await startSwimming(phone) };
    await phone.passTime(45 * 60_000);
    await user.click(await screen.findByRole('button', { name: 'Finish' }));
    await user.click(await screen.findByRole('link', { name: 'Show my code' }));
    await screen.findByRole('img', { name: /QR code/ });
    for (const path of ['/leaderboards', '/dashboard']) await phone.reload(path);
    await screen.findByRole('heading', { level: 1, name: `Hi, ${FIRST.name}` });
    expect(await namesLeft({ ...canaries, 'access token': tokensOf(FIRST).access_token })).toEqual(
      Object.keys(canaries),
    );

    if (network === 'offline') phone.setOnline(false);
    await signOut(phone);
    await waitForLogin();
    if (network === 'offline') {
      await screen.findByText('Logout failed, but you have been logged out locally');
      await expectNoTrace(canaries);
      phone.setOnline(true);
    }
    await vi.waitFor(() => expect(server.asked(logout)).toHaveLength(1));
    await expectNoTrace(canaries);

    answerLogin(server, SECOND);
    await openLoginForm(phone);
    await submitLoginForm(phone, { email: SECOND.email, password: 'chalk and water 26' });
    await user.click(await screen.findByRole('link', { name: /^Profile/ }));
    await screen.findByText(SECOND.email);
    const { 'device key id': _key_of_both, ...others } = canaries;
    await expectNoTrace(others);
  },
);

test.each(['Discard and sign out', 'Keep and sign out'])(
  'with unsent steps "%s" leaves no trace of the athlete',
  async (choice) => {
    const phone = await openAtPool();
    phone.setOnline(false);
    const canaries = { ...CANARIES, 'unsent id': await startSwimming(phone), center: POOL.name };
    await phone.reload('/dashboard');
    await screen.findByRole('navigation');
    expect(await tracesOf(canaries)).toContain('unsent id in database sendlap-outbox, store ops');
    await signOut(phone);
    await phone.user.click(await screen.findByRole('button', { name: choice }));
    await waitForLogin();
    // The copies of centers are public, and the key names no person.
    const { center: _public_copy, 'sealing key': _name, ...own } = canaries;
    const inOutbox = async () => (await tracesOf(canaries)).filter((trace) => trace.includes('sendlap-outbox'));
    const left = choice.startsWith('Keep') ? ['sealing key in database sendlap-outbox, store sealed'] : [];
    await vi.waitFor(async () => expect([await tracesOf(own), await inOutbox()]).toEqual([[], left]));
    phone.setOnline(true);
    await vi.waitFor(() => expect(phone.server.asked(logout)).not.toEqual([]));
    expect([await tracesOf(own), await inOutbox()]).toEqual([[], left]);
  },
);

test('lengths noted in an activity that still runs are asked about too, and leave no trace when discarded', async () => {
  const phone = await openAtPool();
  const canaries = { ...CANARIES, 'running id': await startSwimming(phone) };
  await phone.user.click(screen.getByRole('button', { name: 'Add a length' }));
  await screen.findByText(/^1 length/);
  await screen.findByText(/Saved on the server/);
  await phone.reload('/dashboard');
  await screen.findByRole('navigation');
  await signOut(phone);
  await phone.user.click(await screen.findByRole('button', { name: 'Discard and sign out' }));
  await waitForLogin();
  await expectNoTrace(canaries);
});

test('an answer that comes after the sign-out leaves nothing', async () => {
  const phone = await openAtPool();
  const { server, user } = phone;
  const canaries = { ...CANARIES, 'activity id': await startSwimming(phone) };
  await screen.findByText(/Saved on the server/);
  const held = [listActivities, getDashboard, listMyRefereeRights].map((endpoint) => server.hold(endpoint));
  await phone.reload('/dashboard');
  await Promise.all(held.slice(0, 2).map(({ arrived }) => arrived));
  const bar = within(await screen.findByRole('navigation'));
  await user.click(bar.getByRole('link', { name: /^Profile/ }));
  await held[2]?.arrived;
  await user.click(await screen.findByRole('button', { name: 'Sign out' }));
  await waitForLogin();
  await expectNoTrace(canaries);
  for (const { release } of held) release();
  await runTurns();
  expect(await tracesOf(canaries)).toEqual([]);
});
