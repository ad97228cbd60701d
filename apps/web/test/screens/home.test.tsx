import { listActivities } from '@sendlap/contract/activities.ts';
import { getDashboard } from '@sendlap/contract/dashboard.ts';
import { type GivenDecision, listGivenDecisions } from '@sendlap/contract/decisions.ts';
import { type Appeal, listAppeals, listMyRefereeRights, type RefereeRight } from '@sendlap/contract/referees.ts';
import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { ActivityModel, activityOf } from '../models/activity-model.ts';
import { POOL } from '../models/pool.ts';
import { openApp, type Phone } from '../open-app.ts';
import { main, openAppWithActivities } from '../scenes/activity-scene.ts';
import { passTriesUntil } from '../scenes/chat-panel.ts';

/** A day after the activities of `activityOf`, whose time to be confirmed is over. */
const NEXT_DAY = '2026-11-21T11:00:00Z';
const START = 'Start swimming La Cebada';
const validated = { status: 'validated', validation: 'referee', points: 235 } as const;

test('a new user sees three steps and no zeros', async () => {
  await openApp();
  await screen.findByRole('heading', { name: 'Your first points are nearby' });
  await runTurns();
  for (const title of ['This week', 'Badges', 'Skills', 'Last 12 weeks', 'Recent activities'])
    expect(screen.queryByRole('heading', { name: title })).toBe(null);
  expect(main().queryByRole('button', { name: /^Start/ })).toBe(null);
});

test('a new user who starts without a network sees the three steps again, as the server has said that there is no activity', async () => {
  const phone = await openApp({ now: NEXT_DAY });
  await screen.findByRole('heading', { name: 'Your first points are nearby' });
  await runTurns();
  phone.setOnline(false);
  await phone.reload('/dashboard');
  await passTriesUntil(phone, () => screen.getByRole('heading', { name: 'Your first points are nearby' }));
  expect(screen.queryByRole('heading', { name: 'Your activities are not on this device yet' })).toBe(null);
});

test('an athlete whose only swim was too short for points sees it, and no week of zeros', async () => {
  const times = { started_at: '2026-11-21T10:40:00.000Z', ended_at: '2026-11-21T10:40:30.000Z' };
  await openAppWithActivities({ path: '/dashboard', first: [activityOf(1, POOL, { ...times, potential_points: 0 })] });
  await screen.findByRole('heading', { name: 'Recent activities' });
  expect(main().getByRole('link', { name: /<1 min/ })).toBeDefined();
  await runTurns();
  expect(screen.queryByRole('heading', { name: 'This week' })).toBe(null);
});

/** Opens Home for an athlete of one activity, which this device has not seen, while the server fails. */
function openUnread(language: 'en' | 'es'): Promise<Phone> {
  return openApp({
    now: NEXT_DAY,
    language,
    prepare(server) {
      new ActivityModel(server, [POOL], [activityOf(1, POOL)]);
      for (const endpoint of UNREAD) server.fail(endpoint);
    },
  });
}

const UNREAD = [listActivities, getDashboard];
const heal = ({ server }: Phone) => UNREAD.map((endpoint) => server.heal(endpoint));

test('a failing server shows one problem with Retry, and not the first steps of a new user', async () => {
  const phone = await openUnread('en');
  await passTriesUntil(phone, () => screen.getByRole('heading', { name: 'Your activities could not be loaded' }));
  expect(main().getAllByRole('alert')).toHaveLength(1);
  expect(screen.queryByRole('heading', { name: 'Your first points are nearby' })).toBe(null);
  heal(phone);
  await phone.user.click(main().getByRole('button', { name: 'Retry' }));
  await screen.findByRole('heading', { name: 'Recent activities' });
  await screen.findByRole('heading', { name: 'This week' });
  expect(main().queryByRole('alert')).toBe(null);
});

test('without a network, activities that this device has never seen come by themselves once it is back, in Spanish', async () => {
  const phone = await openUnread('es');
  await phone.server.stream.opened();
  phone.setOnline(false);
  await passTriesUntil(phone, () => {
    expect(screen.queryByRole('heading', { name: 'Tus primeros puntos están cerca' })).toBe(null);
    return screen.getByRole('heading', { name: 'Tus actividades aún no están en este dispositivo' });
  });
  heal(phone);
  phone.setOnline(true);
  await screen.findByRole('heading', { name: 'Actividades recientes' });
});

test.each(['online', 'offline'])('one tap starts the usual sport at the usual center, %s', async (network) => {
  const phone = await openAppWithActivities({
    path: '/dashboard',
    now: NEXT_DAY,
    first: [activityOf(1, POOL, { ...validated, sport_type: 'climbing', intensity: 'hard' })],
  });
  const start = await screen.findByRole('button', { name: 'Start climbing La Cebada' });
  phone.setOnline(network === 'online');
  await phone.user.click(start);
  await screen.findByRole('timer');
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Hard' })).checked).toBe(true);
  await phone.reload('/dashboard');
  await screen.findByRole('heading', { name: 'This week' });
  expect(main().queryByRole('button', { name: /^Start/ })).toBe(null);
  screen.getByRole('button', { name: 'Finish' });
});

test('an activity to confirm comes first, and its code is one tap away', async () => {
  const phone = await openAppWithActivities({ path: '/dashboard', first: [activityOf(1, POOL)] });
  const waiting = within(await screen.findByRole('region', { name: '1 activity to confirm' }));
  waiting.getByText(/^La Cebada, until 22:45/);
  await phone.user.click(waiting.getByRole('link', { name: 'Show my code' }));
  expect(window.location.search).toBe(`?activity=${activityOf(1, POOL).client_id}`);
});

test.each([
  ['en', '1 activity to confirm', /^La Cebada, until 8:00 tomorrow/],
  ['es', '1 actividad por confirmar', /^La Cebada, hasta las 8:00 de mañana/],
] as const)('a deadline after midnight says that it is tomorrow, in %s', async (language, name, text) => {
  const evening = { started_at: '2026-11-21T19:30:00.000Z', ended_at: '2026-11-21T20:00:00.000Z' };
  await openAppWithActivities({
    path: '/dashboard',
    language,
    now: '2026-11-21T20:01:00.000Z',
    first: [activityOf(1, POOL, evening)],
  });
  within(await screen.findByRole('region', { name })).getByText(text);
});

test('neither a swim that is too late to confirm nor one without points asks for a confirmation', async () => {
  const late = activityOf(1, POOL);
  const short = activityOf(2, POOL, {
    started_at: '2026-11-21T10:40:00.000Z',
    ended_at: '2026-11-21T10:41:00.000Z',
    potential_points: 0,
  });
  await openAppWithActivities({ path: '/dashboard', now: NEXT_DAY, first: [late, short] });
  await screen.findByRole('button', { name: START });
  expect(screen.queryByRole('link', { name: 'Show my code' })).toBe(null);
});

const right: RefereeRight = {
  sport_center_id: POOL.id,
  sport_center_name: POOL.name,
  sport_types: ['swimming'],
  valid_until: null,
};

const appeal: Appeal = {
  client_id: activityOf(9, POOL).client_id,
  athlete: 'Max',
  sport_type: 'swimming',
  sport_center_name: POOL.name,
  started_at: '2026-11-21T08:00:00.000Z',
  ended_at: '2026-11-21T09:00:00.000Z',
  appealed_at: '2026-11-21T09:30:00.000Z',
  open_until: '2026-11-21T21:00:00.000Z',
  reason: null,
};

function decision(number: number, changes: Partial<GivenDecision> = {}): GivenDecision {
  const { client_id, sport_type, sport_center_name } = activityOf(number, POOL);
  const times = { started_at: '2026-11-21T08:00:00.000Z', ended_at: '2026-11-21T09:00:00.000Z' };
  const facts = { op_id: client_id, client_id, athlete: 'Max', sport_type, sport_center_name, ...times };
  const verdict = { method: 'referee', decision: 'confirm', outcome: 'in_force', can_withdraw: true } as const;
  return { ...facts, ...verdict, scanned_at: '2026-11-21T09:30:00.000Z', ...changes };
}

test('a referee sees requests, scanner and today’s confirmations, online and from this device; others see none of it', async () => {
  const phone = await openAppWithActivities({ path: '/dashboard', now: NEXT_DAY });
  await screen.findByRole('heading', { name: 'Your first points are nearby' });
  await runTurns();
  expect(screen.queryByRole('region', { name: 'As a referee' })).toBe(null);

  phone.server.on(listMyRefereeRights, () => ({ items: [right], next_cursor: null }));
  phone.server.on(listAppeals, () => ({ items: [appeal], next_cursor: null }));
  phone.server.on(listGivenDecisions, () => ({
    items: [
      decision(1),
      decision(2, { outcome: 'withdrawn' }),
      decision(3, { decision: 'reject' }),
      decision(4, { scanned_at: '2026-11-20T09:30:00.000Z' }),
      decision(5),
    ],
    next_cursor: null,
  }));
  for (const is_online of [true, false]) {
    phone.setOnline(is_online);
    await phone.reload('/dashboard');
    const card = within(await screen.findByRole('region', { name: 'As a referee' }));
    await card.findByRole('link', { name: '1 athlete asks for your decision' });
    await card.findByRole('link', { name: '2 confirmed today' });
    expect(card.getByRole('link', { name: 'Scan a code' }).getAttribute('href')).toBe('/qr/scan');
  }
});

test('a referee whose first page of decisions is all of today reads that there may be more', async () => {
  const items = Array.from({ length: 20 }, (_, index) => decision(index + 1));
  const phone = await openAppWithActivities({ path: '/friends', now: NEXT_DAY });
  phone.server.on(listMyRefereeRights, () => ({ items: [right], next_cursor: null }));
  phone.server.on(listGivenDecisions, () => ({ items, next_cursor: 'more' }));
  await phone.reload('/dashboard');
  await screen.findByRole('link', { name: 'At least 20 confirmed today' });
});

test('a referee whose decisions are not known sees no number', async () => {
  const phone = await openAppWithActivities({ path: '/friends', now: NEXT_DAY });
  phone.server.on(listMyRefereeRights, () => ({ items: [right], next_cursor: null }));
  const held = phone.server.hold(listGivenDecisions);
  await phone.reload('/dashboard');
  const card = within(await screen.findByRole('region', { name: 'As a referee' }));
  await card.findByRole('link', { name: 'My decisions' });
  held.release();
  await card.findByRole('link', { name: 'Nothing confirmed today' });
});

test('a referee whose first page of decisions is all of today reads so offline too', async () => {
  const items = Array.from({ length: 20 }, (_, index) => decision(index + 1));
  const phone = await openAppWithActivities({ path: '/friends', now: NEXT_DAY });
  phone.server.on(listMyRefereeRights, () => ({ items: [right], next_cursor: null }));
  phone.server.on(listGivenDecisions, () => ({ items, next_cursor: 'more' }));
  await phone.reload('/dashboard');
  await screen.findByRole('link', { name: 'At least 20 confirmed today' });
  phone.setOnline(false);
  await phone.reload('/dashboard');
  const card = within(await screen.findByRole('region', { name: 'As a referee' }));
  await card.findByRole('link', { name: 'At least 20 confirmed today' });
});

test('a request that comes late does not move the scanner while a referee reaches for it', async () => {
  const phone = await openAppWithActivities({ path: '/friends', now: NEXT_DAY });
  phone.server.on(listMyRefereeRights, () => ({ items: [right], next_cursor: null }));
  phone.server.on(listAppeals, () => ({ items: [appeal], next_cursor: null }));
  const held = phone.server.hold(listAppeals);
  await phone.reload('/dashboard');
  const card = within(await screen.findByRole('region', { name: 'As a referee' }));
  const place = () => card.getAllByRole('link').indexOf(card.getByRole('link', { name: 'Scan a code' }));
  const before = place();
  held.release();
  await card.findByRole('link', { name: '1 athlete asks for your decision' });
  expect(place()).toBe(before);
});
