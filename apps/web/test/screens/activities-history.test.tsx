import { listActivities } from '@sendlap/contract/activities.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { stopTimersOf } from '../device/device-clock.ts';
import { activityOf } from '../models/activity-model.ts';
import { POOL } from '../models/pool.ts';
import type { Phone } from '../open-app.ts';
import { main, openAppWithActivities } from '../scenes/activity-scene.ts';
import { followLink } from '../scenes/follow-link.ts';

const DAY_MS = 86_400_000;
/** After this time the app gives a request up. */
const REQUEST_TIMEOUT_MS = 10_000;
const KEPT = "You're offline. These are the ones this device keeps";

/** A swim on each of the last 66 days. */
const LONG_PAST = Array.from({ length: 66 }, (_, days) => {
  const at = (time: string) => new Date(Date.parse(`2026-11-20T${time}Z`) - days * DAY_MS).toISOString();
  return activityOf(days + 1, POOL, { started_at: at('10:00:00'), ended_at: at('10:45:00') });
});

/** Returns the links of the rows, without duplicates. */
const listed = () =>
  main()
    .queryAllByRole('listitem', { hidden: true })
    .map((row) => row.innerHTML.match(/\/activities\/[\w-]+/)?.[0]);

async function expectWholePast(): Promise<void> {
  await waitFor(() => expect(listed()).toHaveLength(66));
  expect(new Set(listed()).size).toBe(66);
}

async function press({ user }: Phone, name: string): Promise<void> {
  await user.click(screen.getByRole('button', { name }));
}

const openHistory = (path = '/activities') => openAppWithActivities({ path, first: LONG_PAST });

test('the history shows every activity once, by month, page after page, and the same without a network', async () => {
  const phone = await openHistory('/dashboard');
  await phone.user.click(await screen.findByRole('link', { name: 'All' }));
  await screen.findByRole('heading', { level: 1, name: 'My activities' });
  // The second page is loaded automatically near the end of the list.
  await waitFor(() => expect(listed()).toHaveLength(60));
  await phone.user.click(await screen.findByRole('button', { name: 'Show more' }));
  await expectWholePast();
  const months = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
  expect(months).toEqual(['November 2026', 'October 2026', 'September 2026']);
  main().getByText('31 activities');

  phone.setOnline(false);
  await phone.reload('/activities');
  await screen.findByText(KEPT, { exact: false });
  await expectWholePast();
});

test('a list whose next page is slow keeps its rows and is not called old', async () => {
  stopTimersOf(REQUEST_TIMEOUT_MS);
  const phone = await openHistory();
  await waitFor(() => expect(listed()).toHaveLength(60));
  await runTurns();
  const answer = phone.server.hang();
  await press(phone, 'Show more');
  await phone.passTime(2_000);
  await runTurns();
  expect(listed()).toHaveLength(60);
  expect(screen.queryByText(/Last updated/)).toBe(null);
  answer();
  await expectWholePast();
});

test('a phone without copies shows an empty history only once the server has answered', async () => {
  stopTimersOf(REQUEST_TIMEOUT_MS);
  const phone = await openAppWithActivities({ path: '/profile' });
  await screen.findByRole('link', { name: /^Friends/ });
  const list = phone.server.hold(listActivities);
  await phone.user.click(screen.getByRole('link', { name: /^My activities/ }));
  await screen.findByRole('heading', { level: 1, name: 'My activities' });
  await list.arrived;
  await runTurns();
  await phone.passTime(2_000);
  await runTurns();
  screen.getByRole('status', { name: 'Loading' });
  expect(screen.queryByRole('heading', { name: 'Nothing here yet' })).toBeNull();
  list.release();
  await screen.findByRole('heading', { name: 'Nothing here yet' });
});

test('an activity that is only on the server needs a connection, and is not called missing', async () => {
  const phone = await openHistory('/profile');
  await screen.findByRole('link', { name: /^Friends/ });
  phone.setOnline(false);
  followLink('/activities/unknown-here');
  await screen.findByRole('heading', { name: 'This activity is not on this device' });
  expect(screen.queryByText('Network error')).toBeNull();
});

test('the history is filtered by sport and by proof', async () => {
  const phone = await openHistory();
  await screen.findByRole('heading', { name: 'November 2026' });
  for (const filter of ['Climbing', 'Confirmed']) {
    await press(phone, filter);
    await screen.findByRole('heading', { name: 'Nothing fits' });
    await press(phone, filter);
    await screen.findByRole('heading', { name: 'November 2026' });
  }
});

test('the calendar shows the activities of each day, goes by keyboard, and leads to an activity and back', async () => {
  const phone = await openHistory();
  const { user } = phone;
  await user.click(await screen.findByRole('radio', { name: 'Calendar' }));
  const grid = async (month: string) => within(await screen.findByRole('table', { name: `Days of ${month}` }));
  const november = await grid('November 2026');
  await main().findByText('Waiting or not confirmed');
  await user.click(await november.findByRole('button', { name: /\b20\b.*, 1 activity, 1 waiting$/ }));
  expect(main().getAllByRole('listitem')).toHaveLength(1);
  await press(phone, 'Previous month');
  const october = await grid('October 2026');
  await user.click(await october.findByRole('button', { name: /\b1\b.*, 1 activity, 1 not confirmed$/ }));
  await user.keyboard('{ArrowRight}');
  const day = (number: number) =>
    october.getByRole('button', { name: new RegExp(`\\b${number}\\b.*, 1 activity, 1 not confirmed$`) });
  expect(document.activeElement).toBe(day(2));
  await user.keyboard('{End}');
  expect(document.activeElement).toBe(day(31));
  expect(october.getAllByRole('button', { pressed: true })).toEqual([day(31)]);

  await user.click(main().getByRole('listitem').querySelector('a') as HTMLElement);
  await screen.findByRole('button', { name: 'Again here' });
  // A code could be confirmed until 12 hours after the end.
  expect(screen.queryByRole('link', { name: 'Show my code' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await screen.findByRole('heading', { level: 1, name: 'My activities' });
  await grid('October 2026');
});
