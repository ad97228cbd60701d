import { getDashboard } from '@sendlap/contract/dashboard.ts';
import { getRecap } from '@sendlap/contract/stats.ts';
import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { setTimeZone } from '../device/time-zone.ts';
import { activityOf } from '../models/activity-model.ts';
import { POOL } from '../models/pool.ts';
import { NO_RECAP, RECAP, RECAP_SWIM } from '../models/recap.ts';
import { newDashboard } from '../models/signed-in.ts';
import { openApp, type Phone } from '../open-app.ts';
import { main, openAppWithActivities, pathOf } from '../scenes/activity-scene.ts';
import { retryFailedRead } from '../scenes/failed-read.ts';

const NOW = '2026-11-20T11:45:00Z';
const DAY_MS = 86_400_000;
/** The texts of elements, with plain spaces. */
const textsOf = (elements: HTMLElement[]) => elements.map(({ textContent }) => textContent?.replaceAll(/\s/g, ' '));
const findTotal = () => screen.findByText('1,465 points in total');

test('a recap that cannot be loaded says so, and Retry loads it', async () => {
  const phone = await openApp({
    path: '/recap',
    now: NOW,
    prepare(server) {
      server.on(getRecap, () => RECAP);
      server.refuse(getRecap, 'unavailable');
    },
  });
  await retryFailedRead(phone, getRecap);
  await findTotal();
  expect(screen.queryByRole('alert')).toBe(null);
});

test('without a network, a phone that never loaded the recap shows so, and loads it once it is online', async () => {
  const phone = await openApp({ path: '/badges', now: NOW, prepare: (server) => server.on(getRecap, () => RECAP) });
  await screen.findByRole('heading', { level: 1, name: 'Badges' });
  phone.setOnline(false);
  await phone.reload('/recap');
  await screen.findByRole('heading', { name: 'Your recap needs a connection' });
  phone.setOnline(true);
  await findTotal();
});

test('without a network, a recap of an earlier week no longer calls another week the last one', async () => {
  const phone = await openApp({ path: '/recap', now: NOW, prepare: (server) => server.on(getRecap, () => RECAP) });
  await screen.findByRole('heading', { name: 'Last week' });
  await runTurns();
  phone.setOnline(false);
  await phone.passTime(3 * DAY_MS);
  await phone.reload();
  await findTotal();
  screen.getByText(/Last updated: 20 Nov/);
  screen.getByRole('heading', { name: 'This season so far' });
  expect(screen.queryByRole('heading', { name: 'Last week' })).toBe(null);
});

test.each([
  ['Pacific/Kiritimati', '2026-11-22T22:00:00Z', true],
  ['America/Los_Angeles', '2026-11-22T22:00:00Z', true],
  ['Pacific/Kiritimati', '2026-11-22T23:30:00Z', false],
  ['America/Los_Angeles', '2026-11-22T23:30:00Z', false],
])(
  'on a phone in %s the last week of a kept recap ends with the week of the server in Madrid (%s)',
  async (zone, now, is_shown) => {
    setTimeZone(zone);
    const phone = await openApp({ path: '/recap', now: NOW, prepare: (server) => server.on(getRecap, () => RECAP) });
    await screen.findByRole('heading', { name: 'Last week' });
    await runTurns();
    phone.setOnline(false);
    await phone.passTime(Date.parse(now) - Date.parse(NOW));
    await phone.reload();
    await findTotal();
    expect(screen.queryByRole('heading', { name: 'Last week' }) !== null).toBe(is_shown);
  },
);

test('a device clock that is a week ahead ends no period of the recap', async () => {
  const phone = await openApp({ path: '/friends', now: NOW, prepare: (server) => server.on(getRecap, () => RECAP) });
  await screen.findByRole('heading', { level: 1, name: 'Friends' });
  phone.moveClock(7 * DAY_MS);
  await phone.reload('/recap');
  await screen.findByRole('heading', { name: 'Last week' });
});

test('while the recap is loading, the screen says so', async () => {
  let answer = () => {};
  await openApp({
    path: '/recap',
    prepare(server) {
      server.on(getRecap, () => RECAP);
      answer = server.hold(getRecap).release;
    },
  });
  await screen.findByRole('heading', { level: 1, name: 'Your recap' });
  await main().findByRole('status', { name: 'Loading' });
  answer();
  await findTotal();
  expect(main().queryByRole('status', { name: 'Loading' })).toBe(null);
});

test('Home has no total before the first points', async () => {
  await openAppWithActivities({ path: '/dashboard', now: NOW, first: [activityOf(1, POOL)] });
  await screen.findByRole('heading', { name: 'This week' });
  await runTurns();
  expect(screen.queryByRole('link', { name: /in total/ })).toBe(null);
});

test('before the first confirmed activity there are no zeros, and the way to a center', async () => {
  await openApp({ path: '/recap' });
  await screen.findByRole('heading', { name: 'Nothing counts yet' });
  expect(textsOf(main().getAllByRole('heading'))).toEqual(['Your recap', 'Nothing counts yet']);
  expect(screen.getByRole('link', { name: 'Find a sport center' }).getAttribute('href')).toBe('/sport-centers');
});

test('a period without an activity is not shown', async () => {
  const recap = { ...RECAP, last_week: null, season: null, best_week: null };
  await openApp({ path: '/recap', prepare: (server) => server.on(getRecap, () => recap) });
  await findTotal();
  expect(textsOf(main().getAllByRole('heading'))).toEqual(['Your recap', 'Your personal bests']);
  expect(screen.queryByText('Most points in one week')).toBe(null);
});

async function openHome(language: 'en' | 'es'): Promise<Phone> {
  const phone = await openAppWithActivities({ path: '/friends', now: NOW, first: [RECAP_SWIM], language });
  phone.server.on(getDashboard, () => ({ ...newDashboard(), lifetime_points: 1465 }));
  phone.server.on(getRecap, () => RECAP);
  await phone.reload('/dashboard');
  return phone;
}

test.each([
  {
    language: 'en',
    total: '1,465 points in total',
    level: 'Level 2 · 335 to go',
    periods: [
      'Last week9 – 15 Nov678 points2 active days1 climb2 swims · 2,000 m',
      'This season so farsince 28 Sept1,009 points1 active day1 swim',
    ],
    bests: [
      'Most points in one week9 – 15 Nov 2026678',
      'Most points in one activityLa Cebada · 20 Mar 2026473',
      'Longest climbLa Cebada · 20 Mar 20262 hrs',
      'Longest swimLa Cebada · 10 Apr 20261 hr',
      'Farthest swimLa Cebada · 10 Apr 20262,000 m',
    ],
  },
  {
    language: 'es',
    total: '1465 puntos en total',
    level: 'Nivel 2 · te faltan 335',
    periods: [
      'La semana pasada9–15 nov678 puntos2 días activos1 sesión de escalada2 sesiones de natación · 2000 m',
      'Lo que va de temporadadesde el 28 sept1009 puntos1 día activo1 sesión de natación',
    ],
    bests: [
      'Más puntos en una semana9–15 nov 2026678',
      'Más puntos en una actividadLa Cebada · 20 mar 2026473',
      'Más tiempo escalandoLa Cebada · 20 mar 20262 h',
      'Más tiempo nadandoLa Cebada · 10 abr 20261 h',
      'Más distancia nadandoLa Cebada · 10 abr 20262000 m',
    ],
  },
] as const)(
  'the points in total on Home lead to last week, season and personal bests, in $language',
  async (expected) => {
    const { language, total, level, periods, bests } = expected;
    const { user } = await openHome(language);
    const link = await screen.findByRole('link', { name: new RegExp(`^${total}`) });
    expect(textsOf([link])).toEqual([total + level]);
    await user.click(link);
    const list = within(await screen.findByRole('region', { name: /^(Your personal bests|Tus mejores marcas)$/ }));
    screen.getByText(total);
    expect(textsOf(main().getAllByRole('region')).slice(0, 2)).toEqual(periods);
    expect(textsOf(list.getAllByRole('listitem'))).toEqual(bests);
  },
);

test('a personal best leads to its activity, the best week to its days in the history', async () => {
  const { user } = await openHome('en');
  await user.click(await screen.findByRole('link', { name: /in total/ }));
  const week = await screen.findByRole('link', { name: /^Most points in one week/ });
  expect(week.getAttribute('href')).toBe('/activities?from=2026-11-09&to=2026-11-15');
  await user.click(screen.getByRole('link', { name: /^Farthest swim/ }));
  await screen.findByRole('heading', { level: 1, name: 'Swimming' });
  expect(window.location.pathname).toBe(pathOf(RECAP_SWIM));
});

test('a confirmation changes the open recap', async () => {
  const phone = await openAppWithActivities({ path: '/recap', now: NOW, first: [activityOf(1, POOL)] });
  await screen.findByRole('heading', { name: 'Nothing counts yet' });
  await phone.server.stream.opened();
  phone.server.on(getRecap, () => ({ ...NO_RECAP, bests: RECAP.bests, season: RECAP.season }));
  phone.activities.changeAndNotify(RECAP_SWIM.client_id, { status: 'validated', validation: 'referee', points: 331 });
  await screen.findByText('1,009 points');
});
