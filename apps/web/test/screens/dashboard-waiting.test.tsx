import { type Dashboard, getDashboard } from '@sendlap/contract/dashboard.ts';
import { addDays, isoWeekKey } from '@sendlap/domain/dates.ts';
import { screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { activityOf, POTENTIAL_POINTS } from '../models/activity-model.ts';
import { POOL } from '../models/pool.ts';
import { newDashboard } from '../models/signed-in.ts';
import type { Phone } from '../open-app.ts';
import { MINUTE_MS, openAppWithActivities, passUndo, startSwimming } from '../scenes/activity-scene.ts';

/** The device's own estimate for a swim of 45 minutes, before the server has counted it. */
const ESTIMATED_POINTS = 235;
/** After the 12 hours in which the swims of `activityOf` can be confirmed, in the same week. */
const NEXT_DAY = '2026-11-21T10:46:00Z';
const MONDAY = '2026-11-16';

/** Answers the dashboard with twelve weeks, the current one with these validated points. */
function answerDashboard({ server }: Pick<Phone, 'server'>, points: number, facts: Partial<Dashboard> = {}): void {
  const weeks = Array.from({ length: 12 }, (_, index) => {
    const starts_on = addDays(MONDAY, 7 * (index - 11));
    return { key: isoWeekKey(starts_on), starts_on, points: index === 11 ? points : 0, unconfirmed_points: 0 };
  });
  const dashboard = newDashboard();
  server.on(getDashboard, () => ({ ...dashboard, week: { ...dashboard.week, points }, trend: { weeks }, ...facts }));
}

/** `trend` is null before the first points: the trend has nothing to show then. */
async function expectFigures(ring: string, trend: string | null): Promise<void> {
  await screen.findByRole('img', { name: ring });
  if (trend === null) return waitFor(() => expect(screen.queryByRole('slider', { name: 'Week' })).toBe(null));
  const slider = await screen.findByRole('slider', { name: 'Week' });
  await waitFor(() => expect(slider.getAttribute('aria-valuetext')?.split(': ')[1]).toBe(trend));
}

test('a rejected and a deleted activity is not hatched', async () => {
  const phone = await openAppWithActivities({
    path: '/activities',
    first: [
      activityOf(1, POOL),
      activityOf(2, POOL, { started_at: '2026-11-20T08:00:00Z', ended_at: '2026-11-20T09:00:00Z' }),
    ],
  });
  answerDashboard(phone, 0);
  await phone.reload('/dashboard');
  await expectFigures('0 of 600 points this week, 662 recorded and not confirmed', '0 points, 662 waiting');
  await phone.server.stream.opened();
  const [one, other] = phone.activities.list();
  phone.activities.changeAndNotify(one?.client_id ?? '', { status: 'rejected', can_appeal: true });
  await expectFigures('0 of 600 points this week, 331 recorded and not confirmed', '0 points, 331 waiting');
  phone.activities.changeAndNotify(other?.client_id ?? '', { status: 'deleted' });
  await expectFigures('0 of 600 points this week', null);
  expect(screen.queryByText(/waiting$|not confirmed/)).toBeNull();
});

test('an activity finished without a network is hatched at once, and only once when the server has it', async () => {
  const phone = await openAppWithActivities();
  answerDashboard(phone, 0);
  await phone.reload('/dashboard');
  await screen.findByRole('heading', { name: 'Your first points are nearby' });
  await phone.reload(`/sport-centers/${POOL.id}`);
  await screen.findByRole('button', { name: 'Start swimming' });
  phone.setOnline(false);
  await startSwimming(phone);
  await phone.passTime(45 * MINUTE_MS);
  await phone.user.click(await screen.findByRole('button', { name: 'Finish' }));
  await screen.findByRole('link', { name: 'Show my code' });
  await phone.reload('/dashboard');
  const own = `${ESTIMATED_POINTS} recorded and not confirmed`;
  await expectFigures(`0 of 600 points this week, ${own}`, `0 points, ${ESTIMATED_POINTS} waiting`);
  screen.getByText('Hatched: recorded, not confirmed. Only confirmed points count for level, badges and boards.');

  phone.setOnline(true);
  await passUndo(phone);
  const stored = `${POTENTIAL_POINTS} recorded and not confirmed`;
  await expectFigures(`0 of 600 points this week, ${stored}`, `0 points, ${POTENTIAL_POINTS} waiting`);
  expect(phone.activities.list()).toHaveLength(1);
});

test('a confirmation makes hatched points solid', async () => {
  const phone = await openAppWithActivities({ path: '/activities', first: [activityOf(1, POOL)] });
  answerDashboard(phone, 0);
  await phone.reload('/dashboard');
  await expectFigures('0 of 600 points this week, 331 recorded and not confirmed', '0 points, 331 waiting');
  await phone.server.stream.opened();
  answerDashboard(phone, 331);
  const [swim] = phone.activities.list();
  phone.activities.changeAndNotify(swim?.client_id ?? '', { status: 'validated', validation: 'referee', points: 331 });
  await expectFigures('331 of 600 points this week', '331 points');
});

test('after 12 hours an activity no longer waits, and the effort stays', async () => {
  const phone = await openAppWithActivities({ path: '/activities', now: NEXT_DAY, first: [activityOf(1, POOL)] });
  answerDashboard(phone, 0);
  await phone.reload('/dashboard');
  await expectFigures('0 of 600 points this week, 331 recorded and not confirmed', '0 points, 331 not confirmed');
});
