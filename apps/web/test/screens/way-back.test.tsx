import { screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { stubPageScroll } from '../device/page-scroll.ts';
import { activityOf } from '../models/activity-model.ts';
import { answerBoards, IN_WEEK } from '../models/board-model.ts';
import { FriendModel } from '../models/friend-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp, type Phone } from '../open-app.ts';
import { EVE, MAX, NORA } from '../people.ts';
import { openAppWithActivities } from '../scenes/activity-scene.ts';
import { CEBADA, openCenters } from '../scenes/center-scene.ts';
import { findLog, findPanel, openAppWithChats, pressInPanel } from '../scenes/chat-panel.ts';

const DAY_MS = 86_400_000;
const SWIMS = Array.from({ length: 25 }, (_, days) => {
  const at = (time: string) => new Date(Date.parse(`2026-11-20T${time}Z`) - days * DAY_MS).toISOString();
  return activityOf(days + 1, POOL, { started_at: at('10:00:00'), ended_at: at('10:45:00') });
});

const title = (name: string) => screen.findByRole('heading', { level: 1, name });
const focused = () => document.activeElement;
const rowOf = (nth: number) =>
  document.querySelector<HTMLElement>(`main a[href="/activities/${SWIMS[nth]?.client_id}"]`);

async function findRow(nth: number): Promise<HTMLElement> {
  await waitFor(() => expect(rowOf(nth)).not.toBeNull());
  return rowOf(nth) as HTMLElement;
}

const byButton = async ({ user }: Phone) => user.click(await screen.findByRole('button', { name: 'Back' }));
const byBrowser = async () => history.back();

test.each([
  ['the button', byButton],
  ['the browser', byBrowser],
])('back by %s, a long list is where it was left, with the focus on the row that was opened', async (_way, goBack) => {
  const page = stubPageScroll();
  const phone = await openAppWithActivities({ path: '/activities', first: SWIMS });
  const row = await findRow(17);
  page.top = 1400;
  await phone.user.click(row);
  // A first visit begins at the top, with the focus on the title.
  await screen.findByRole('button', { name: 'Again here' });
  expect(page.top).toBe(0);
  await waitFor(() => expect(focused()?.tagName).toBe('H1'));
  page.top = 300;
  await goBack(phone);
  await title('My activities');
  await waitFor(() => expect(focused()).toBe(rowOf(17)));
  expect(page.top).toBe(1400);

  // The row that was opened last is another one now.
  page.top = 900;
  await phone.user.click(await findRow(9));
  await screen.findByRole('button', { name: 'Again here' });
  await goBack(phone);
  await waitFor(() => expect(focused()).toBe(rowOf(9)));
  expect(page.top).toBe(900);
});

test('forward to a screen that was left by Back, it begins at its top', async () => {
  const page = stubPageScroll();
  const phone = await openAppWithActivities({ path: '/activities', first: SWIMS });
  const row = await findRow(17);
  page.top = 1400;
  await phone.user.click(row);
  await screen.findByRole('button', { name: 'Again here' });
  page.top = 300;
  history.back();
  await waitFor(() => expect(page.top).toBe(1400));
  history.forward();
  await screen.findByRole('button', { name: 'Again here' });
  expect(page.top).toBe(0);
});

test('a list that is read from the server again is scrolled as soon as it is long enough', async () => {
  const page = stubPageScroll();
  const phone = await openAppWithActivities({ path: '/activities', first: SWIMS });
  await findRow(17);
  page.top = 1400;
  dispatchEvent(new Event('pagehide'));
  page.top = 0;
  page.height = innerHeight + 200;
  await phone.reload();
  await title('My activities');
  await waitFor(() => expect(page.top).toBe(200));
  page.height = 10_000;
  await findRow(17);
  await waitFor(() => expect(page.top).toBe(1400));
});

test('a user who scrolls while the list is still read is left alone', async () => {
  const page = stubPageScroll();
  const phone = await openAppWithActivities({ path: '/activities', first: SWIMS });
  await findRow(17);
  page.top = 1400;
  dispatchEvent(new Event('pagehide'));
  page.height = innerHeight + 200;
  await phone.reload();
  await waitFor(() => expect(page.top).toBe(200));
  document.body.dispatchEvent(new Event('wheel', { bubbles: true }));
  page.top = 100;
  page.height = 10_000;
  await findRow(17);
  expect(page.top).toBe(100);
});

test('where the app was opened by a link, Back stays in the app and leads to the screen above', async () => {
  const phone = await openAppWithActivities({ path: `/activities/${SWIMS[3]?.client_id}`, first: SWIMS });
  await screen.findByRole('button', { name: 'Again here' });
  // The pages of others are before it in the browser's history.
  expect(history.length).toBeGreaterThan(1);
  const leave = vi.spyOn(history, 'back');
  onTestFinished(() => leave.mockRestore());
  await byButton(phone);
  await title('Hi, Nora');
  expect(window.location.pathname).toBe('/dashboard');
  expect(leave).not.toHaveBeenCalled();
  await waitFor(() => expect(focused()?.tagName).toBe('H1'));
});

test('a tab begins at its top, with the focus on its title', async () => {
  const page = stubPageScroll();
  const { user } = await openAppWithActivities({ path: '/dashboard', first: SWIMS });
  await title('Hi, Nora');
  page.top = 700;
  const nav = within(screen.getByRole('navigation'));
  nav.getByRole('link', { name: 'Ranks' }).focus();
  await user.keyboard('{Enter}');
  await title('Ranks');
  await waitFor(() => expect(focused()?.textContent).toBe('Ranks'));
  expect(page.top).toBe(0);
});

test('back from a friend, a board has the focus on the friend’s row', async () => {
  const page = stubPageScroll();
  const phone = await openApp({
    path: '/leaderboards',
    now: IN_WEEK,
    prepare: (server) => {
      answerCenter(server);
      new FriendModel(server, NORA, [EVE, MAX]).befriend(EVE, MAX);
      const rowOfFriend = (points: number, { name, public_id }: typeof EVE) => ({ points, user: { name, public_id } });
      answerBoards(server, NORA, 465, () => [rowOfFriend(700, EVE), 500, rowOfFriend(400, MAX)]);
    },
  });
  const row = await screen.findByRole('link', { name: 'Max' });
  page.top = 350;
  await phone.user.click(row);
  const card = within(await screen.findByRole('dialog', { name: 'Profile' }));
  await phone.user.click(card.getByRole('button', { name: 'Close' }));
  await byButton(phone);
  await title('Ranks');
  await waitFor(() => expect(focused()?.getAttribute('href')).toBe('/friends?friend=max'));
  expect(page.top).toBe(350);
});

test('back from a center, its row has the focus', async () => {
  const phone = await openCenters();
  await phone.user.click(screen.getByRole('link', { name: new RegExp(CEBADA.name) }));
  await title(CEBADA.name);
  await byBrowser();
  await waitFor(() => expect(focused()?.getAttribute('href')).toBe(`/sport-centers/${CEBADA.id}`));
});

test('back from a chat, the list of chats is where it was, with the focus on that chat', async () => {
  const phone = await openAppWithChats({ prepare: (chats) => void chats.put(EVE, EVE, 'hello') });
  await phone.user.click(await screen.findByRole('button', { name: /^Open chats/ }));
  const panel = within(await findPanel('Chats'));
  const scroller = (await panel.findByRole('list')).parentElement as HTMLElement;
  scroller.scrollTop = 240;
  await pressInPanel(phone, /Eve/);
  await findLog();
  await pressInPanel(phone, 'Back to chats');
  const row = await panel.findByRole('button', { name: /Eve/ });
  await waitFor(() => expect(focused()).toBe(row));
  expect(row.closest('ul')?.parentElement?.scrollTop).toBe(240);

  // Opened again later, the list begins at its top.
  await pressInPanel(phone, /Eve/);
  await findLog();
  await pressInPanel(phone, 'Close chats');
  await phone.user.click(await screen.findByRole('button', { name: /^Open chats/ }));
  const again = within(await findPanel('Chats'));
  expect((await again.findByRole('list')).parentElement?.scrollTop).toBe(0);
});

test('Back is animated by a view transition where the browser has them, unless motion is reduced', async () => {
  const seen: (string | undefined)[] = [];
  Object.assign(document, {
    startViewTransition(change: () => void) {
      seen.push(document.documentElement.dataset.nav);
      change();
      return { ready: Promise.resolve(), finished: Promise.resolve() };
    },
  });
  const ask = window.matchMedia;
  let is_reduced = false;
  const motion = vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const answer = ask.call(window, query);
    return /prefers-reduced-motion/.test(query) ? { ...answer, matches: is_reduced } : answer;
  });
  onTestFinished(() => {
    motion.mockRestore();
    Reflect.deleteProperty(document, 'startViewTransition');
  });
  const phone = await openAppWithActivities({ path: '/activities', first: SWIMS });
  await phone.user.click(await findRow(4));
  await screen.findByRole('button', { name: 'Again here' });
  await byButton(phone);
  await title('My activities');
  await waitFor(() => expect(focused()).toBe(rowOf(4)));
  expect(seen).toEqual(['forward', 'back']);

  is_reduced = true;
  await phone.user.click(await findRow(5));
  await screen.findByRole('button', { name: 'Again here' });
  await byButton(phone);
  await waitFor(() => expect(focused()).toBe(rowOf(5)));
  expect(seen).toHaveLength(2);
});
