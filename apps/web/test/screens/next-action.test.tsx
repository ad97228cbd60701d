import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { widenScreen } from '../device/wide-screen.ts';
import { activityOf } from '../models/activity-model.ts';
import { POOL } from '../models/pool.ts';
import { openAppWithActivities } from '../scenes/activity-scene.ts';
import { answerTowns } from '../scenes/center-scene.ts';
import { findChatButton, openAppWithChats } from '../scenes/chat-panel.ts';

/** A day after the activities of `activityOf`, whose time to be confirmed is over. */
const NEXT_DAY = '2026-11-21T11:00:00Z';
const OLD = activityOf(1, POOL);
const RUNNING = activityOf(2, POOL, { status: 'active', started_at: '2026-11-21T10:30:00.000Z', ended_at: null });

const bar = () => within(screen.getByRole('navigation'));
const findInBar = async (role: 'link' | 'button', name: string) =>
  within(await screen.findByRole('navigation')).findByRole(role, { name });
const address = () => window.location.pathname + window.location.search;

/** The names of the bar's items, in order. */
const itemNames = () =>
  bar()
    .getAllByRole('listitem')
    .map((item) => item.querySelector('a, button')?.getAttribute('aria-label') ?? item.textContent);

test('an athlete without an activity is led to the centers, where the first one begins', async () => {
  const { user, server } = await openAppWithActivities({ path: '/activities' });
  answerTowns(server);
  await user.click(await findInBar('link', 'Start an activity'));
  await screen.findByRole('heading', { level: 1, name: 'Sport Centers' });
  expect(bar().getByRole('link', { name: 'Sport Centers' }).ariaCurrent).toBe('page');
});

test.each([
  ['online', 'en', ['Start an activity', 'Start swimming La Cebada', 'Running: go to your activity']],
  ['offline', 'es', ['Empezar una actividad', 'Empezar a nadar La Cebada', 'En marcha: ir a tu actividad']],
] as const)('two taps start the usual activity from any screen, and the second leads to it, %s', async (...row) => {
  const [network, language, [ask, start, running]] = row;
  const phone = await openAppWithActivities({ path: '/activities', now: NEXT_DAY, first: [OLD], language });
  const action = await findInBar('button', ask);
  phone.setOnline(network === 'online');
  await phone.user.click(action);
  const sheet = within(await screen.findByRole('dialog', { name: ask }));
  await phone.user.click(await sheet.findByRole('button', { name: start }));
  await screen.findByRole('timer');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: ask })).toBeNull());
  // It runs: the same place leads to it, from any other screen.
  expect((await findInBar('link', running)).ariaCurrent).toBe('page');
  const own = address();
  await phone.user.click(bar().getByRole('link', { name: language === 'es' ? 'Inicio' : 'Home' }));
  await screen.findByRole('heading', { level: 1, name: /Nora/ });
  await phone.user.click(bar().getByRole('link', { name: running }));
  await waitFor(() => expect(address()).toBe(own));
  await screen.findByRole('timer');
});

test('the start can be called off, and another center be chosen', async () => {
  const { user, server } = await openAppWithActivities({ path: '/activities', now: NEXT_DAY, first: [OLD] });
  answerTowns(server);
  const action = await findInBar('button', 'Start an activity');
  await user.click(action);
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(address()).toBe('/activities');
  await user.click(action);
  await user.click(within(await screen.findByRole('dialog')).getByRole('link', { name: 'Start somewhere else' }));
  await waitFor(() => expect(address()).toMatch(/^\/sport-centers/));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // Also where the centers are already on the screen.
  await user.click(await findInBar('button', 'Start an activity'));
  await user.click(within(await screen.findByRole('dialog')).getByRole('link', { name: 'Start somewhere else' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  history.go(-2);
  await screen.findByRole('heading', { level: 1, name: 'My activities' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a running activity comes before an activity to confirm, and both before a start', async () => {
  const waiting = { started_at: '2026-11-21T08:00:00.000Z', ended_at: '2026-11-21T08:45:00.000Z' };
  const first = [RUNNING, activityOf(3, POOL, waiting), OLD];
  const { activities, user, ...phone } = await openAppWithActivities({ path: '/activities', now: NEXT_DAY, first });
  await findInBar('link', 'Running: go to your activity');
  expect(itemNames()).toEqual(['Home', 'Sport Centers', 'Running: go to your activity', 'Ranks', 'Profile']);

  await phone.server.stream.opened();
  activities.changeAndNotify(RUNNING.client_id, { status: 'deleted' });
  await user.click(await findInBar('link', 'Code for your activity'));
  await screen.findByRole('img', { name: /^QR code/ });
  expect(address()).toBe(`/qr/generate?activity=${activityOf(3, POOL).client_id}`);
});

test.each([
  ['a phone', 'the title bar', false],
  ['a wide window', 'the side rail', true],
])('on %s the chat button is in %s, once', async (_window, _place, is_wide) => {
  if (is_wide) widenScreen();
  await openAppWithChats();
  const button = await findChatButton();
  expect(bar().queryByRole('button', { name: 'Open chats' }) === button).toBe(is_wide);
});
