import { getBioInfo } from '@sendlap/contract/bio-info.ts';
import { getDashboard } from '@sendlap/contract/dashboard.ts';
import { listGivenDecisions } from '@sendlap/contract/decisions.ts';
import { listAppeals, listMyRefereeRights } from '@sendlap/contract/referees.ts';
import { getRecap } from '@sendlap/contract/stats.ts';
import { listSessions } from '@sendlap/contract/users.ts';
import { screen, within } from '@testing-library/dom';
import { describe, expect, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { stopTimersOf } from '../device/device-clock.ts';
import { stubMap } from '../device/map-code.ts';
import { AccountModel, BODY } from '../models/account-model.ts';
import { ActivityModel, activityOf } from '../models/activity-model.ts';
import { answerBoards, IN_WEEK } from '../models/board-model.ts';
import { ChatModel } from '../models/chat-model.ts';
import { FriendModel } from '../models/friend-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { RECAP } from '../models/recap.ts';
import { newDashboard } from '../models/signed-in.ts';
import { openApp, type Phone } from '../open-app.ts';
import { EVE, MAX, NORA } from '../people.ts';
import { openChatWith } from '../scenes/chat-panel.ts';

/** After this time the app gives a request up; here it must not wait for that. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Younger data has no age while the server is only slow. */
const NO_LONGER_FRESH_MS = 120_000;
/** After this time without an answer the app says how old its data are. */
const SLOW_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const AGE = /as of|updated|were saved/i;

/** The app of an athlete with a friend, a chat, a swim, a rank and a decision, in a week of November. */
function openFullApp(path: string): Promise<Phone> {
  stubMap();
  return openApp({
    path,
    now: IN_WEEK,
    prepare(server) {
      answerCenter(server);
      new ActivityModel(server, [POOL], [activityOf(1, POOL)]);
      const friends = new FriendModel(server, NORA, [EVE, MAX]);
      friends.befriend(EVE);
      friends.ask(MAX);
      new AccountModel(server, NORA, BODY);
      new ChatModel(server, NORA, [EVE]).put(EVE, EVE, 'See you at seven');
      answerBoards(server, NORA, 465, () => [900, 100]);
      server.on(getDashboard, () => ({ ...newDashboard(), week: { ...newDashboard().week, points: 465 } }));
      server.on(getRecap, () => RECAP);
      server.on(listGivenDecisions, () => ({ items: [decisionOf('Max')], next_cursor: null }));
      server.on(listMyRefereeRights, () => ({ items: [right], next_cursor: null }));
      server.on(listAppeals, () => ({ items: [appeal], next_cursor: null }));
      server.on(listSessions, () => ({ items: [thisDevice], next_cursor: null }));
    },
  });
}

const decisionOf = (athlete: string) => ({
  op_id: 'eeeeeeee-1111-4111-8111-111111111111',
  client_id: 'eeeeeeee-2222-4111-8111-111111111111',
  method: 'peer' as const,
  decision: 'confirm' as const,
  outcome: 'in_force' as const,
  athlete,
  sport_type: 'swimming' as const,
  sport_center_name: POOL.name,
  started_at: '2026-11-20T08:00:00.000Z',
  ended_at: '2026-11-20T08:45:00.000Z',
  scanned_at: '2026-11-20T08:50:00.000Z',
  can_withdraw: false,
});

const thisDevice = {
  id: 'ffffffff-1111-4111-8111-111111111111',
  device_name: 'Chrome on Android',
  created_at: '2026-11-19T08:00:00.000Z',
  last_used_at: '2026-11-20T08:00:00.000Z',
  current: true,
};

const right = {
  sport_center_id: POOL.id,
  sport_center_name: POOL.name,
  sport_types: ['swimming' as const],
  valid_until: null,
};

const appeal = {
  client_id: 'dddddddd-1111-4111-8111-111111111111',
  athlete: 'Ines',
  sport_type: 'swimming' as const,
  sport_center_name: POOL.name,
  started_at: '2026-11-20T08:00:00.000Z',
  ended_at: '2026-11-20T08:45:00.000Z',
  reason: null,
  appealed_at: '2026-11-20T09:00:00.000Z',
  open_until: '2026-11-20T20:00:00.000Z',
};

interface Case {
  name: string;
  path: string;
  /** Opens the part of the screen; without it, the address is enough. */
  open?: (phone: Phone) => Promise<void>;
  /** Returns what the phone knows; throws if it is not on the screen. */
  get: () => unknown;
  /** The part that says how old it is; without it, the whole screen. */
  area?: () => HTMLElement;
}

const chatPanel = () => screen.getByRole('dialog');

function bodySection(): HTMLElement {
  const section = screen.getByRole('heading', { name: 'Body data' }).closest('section');
  if (!section) throw new Error('body data is in no section');
  return section;
}

async function openChats({ user }: Phone): Promise<void> {
  await user.click(await screen.findByRole('button', { name: /^Open chats/ }));
}

const CASES: Case[] = [
  { name: 'Home', path: '/dashboard', get: () => screen.getByText('465') },
  { name: 'the shelf of badges', path: '/badges', get: () => screen.getByText(/^\d+ of \d+/) },
  { name: 'the recap', path: '/recap', get: () => screen.getByText('1,465 points in total') },
  { name: 'a board', path: '/leaderboards', get: () => screen.getByRole('listitem', { current: true }) },
  { name: 'the list of friends', path: '/friends', get: () => screen.getByText('eve') },
  { name: 'the list of requests', path: '/friends', get: () => screen.getByRole('button', { name: 'Accept Max' }) },
  { name: 'the list of devices', path: '/profile/devices', get: () => screen.getByText(/Chrome on Android/) },
  { name: 'body data', path: '/profile', area: bodySection, get: () => screen.getByText('61.5 kg') },
  {
    name: 'the choice of who sees me',
    path: '/profile',
    get: () => screen.getByRole('switch', { name: 'Show me on boards', checked: true }),
  },
  {
    name: 'a center',
    path: `/sport-centers/${POOL.id}`,
    get: () => screen.getByRole('heading', { level: 1, name: POOL.name }),
  },
  { name: 'the list of decisions', path: '/qr/decisions', get: () => screen.getByText(/Max/) },
  { name: 'the list of appeals', path: '/qr/decisions', get: () => screen.getByText(/Ines/) },
  {
    name: 'the history',
    path: '/activities',
    get: () => within(screen.getByRole('main')).getAllByText(new RegExp(POOL.name)),
  },
  {
    name: 'the calendar',
    path: '/activities?view=calendar',
    get: () => screen.getByRole('button', { name: /\b20\b.*, 1 activity/ }),
  },
  { name: 'an activity', path: `/activities/${activityOf(1, POOL).client_id}`, get: () => screen.getByText(/^331/) },
  {
    name: 'the list of chats',
    path: '/dashboard',
    open: openChats,
    area: chatPanel,
    get: () => within(chatPanel()).getByText('See you at seven'),
  },
  {
    name: 'a chat',
    path: '/dashboard',
    open: (phone) => openChatWith(phone, 'Eve'),
    area: chatPanel,
    get: () => within(screen.getByRole('log')).getByText('See you at seven'),
  },
];

/** Where a case says how old its data are; a screen may hold more than one. */
const ages = ({ area = () => document.body }: Case) => within(area()).queryAllByText(AGE);

/** Opens a screen with all its data, then, two minutes after `loseServer`, loads it again from the phone alone. */
async function reopen(one: Case, loseServer: (phone: Phone) => () => void) {
  const phone = await openFullApp(one.path);
  await one.open?.(phone);
  await vi.waitFor(one.get);
  await runTurns();
  expect(ages(one)).toEqual([]);
  const recover = loseServer(phone);
  await phone.passTime(NO_LONGER_FRESH_MS);
  await phone.reload();
  await one.open?.(phone);
  await vi.waitFor(one.get);
  return { phone, recover };
}

const hang = ({ server }: Phone) => server.hang();
const loseNetwork = (phone: Phone) => {
  phone.setOnline(false);
  return () => phone.setOnline(true);
};

async function expectAge(one: Case): Promise<void> {
  await vi.waitFor(() => expect(ages(one)).not.toEqual([]));
  one.get();
}

async function expectNoAge(one: Case): Promise<void> {
  await vi.waitFor(() => expect(ages(one)).toEqual([]));
  one.get();
}

describe.each(CASES)('$name', (one) => {
  test('shows what the phone knows while the server does not answer, after a second with its age, until the answer', async () => {
    stopTimersOf(REQUEST_TIMEOUT_MS);
    const { phone, recover } = await reopen(one, hang);
    await phone.passTime(SLOW_MS);
    await expectAge(one);
    recover();
    await expectNoAge(one);
  });

  test('does not wait for the second after which the server counts as silent', async () => {
    stopTimersOf(REQUEST_TIMEOUT_MS);
    stopTimersOf(SLOW_MS);
    await reopen(one, hang);
    expect(ages(one)).toEqual([]);
  });

  test('still shows it after 30 seconds, when the app has given the requests up, and reads again by itself', async () => {
    const { phone, recover } = await reopen(one, hang);
    for (const _third of [1, 2, 3]) await phone.passTime(10_000);
    await runTurns();
    await expectAge(one);
    recover();
    await vi.waitFor(async () => {
      await phone.passTime(10_000);
      await runTurns();
      expect(ages(one)).toEqual([]);
    });
    one.get();
  });

  test('shows it without a network, with its age, until the network is back', async () => {
    stopTimersOf(REQUEST_TIMEOUT_MS);
    const { recover } = await reopen(one, loseNetwork);
    await expectAge(one);
    recover();
    await expectNoAge(one);
  });
});

test('a copy past its 24 hours is not shown while the server may still answer, but without a network, with its age', async () => {
  stopTimersOf(REQUEST_TIMEOUT_MS);
  stopTimersOf(SLOW_MS);
  const phone = await openFullApp('/badges');
  const get = () => screen.getByText(/^\d+ of \d+/);
  await vi.waitFor(get);
  await runTurns();
  phone.server.hang();
  await phone.passTime(2 * DAY_MS);
  await phone.reload();
  await screen.findByRole('heading', { level: 1 });
  await runTurns();
  expect(screen.queryByText(/^\d+ of \d+/)).toBe(null);
  phone.setOnline(false);
  await vi.waitFor(get);
  screen.getByText(/Last updated: 20 Nov/);
});

test('a list that has just been read has its own age when the network goes, not that of the copy before it', async () => {
  stopTimersOf(REQUEST_TIMEOUT_MS);
  const phone = await openFullApp('/profile/devices');
  await screen.findByText(/Chrome on Android/);
  await runTurns();
  await phone.passTime(5 * HOUR_MS);
  await phone.reload();
  await screen.findByText(/Chrome on Android/);
  await runTurns();
  phone.setOnline(false);
  await screen.findByText("You're offline. Last updated: now.");
});

test('body data that this phone never had is said to be missing, not to have failed, and comes with the network', async () => {
  const phone = await openApp({
    path: '/about',
    now: IN_WEEK,
    prepare: (server) => {
      new AccountModel(server, NORA, BODY);
      server.fail(getBioInfo);
    },
  });
  await screen.findByRole('heading', { level: 1 });
  await runTurns();
  phone.setOnline(false);
  await phone.reload('/profile');
  await screen.findByRole('heading', { name: 'Body data' });
  await phone.passTime(5_000);
  const section = within(bodySection());
  await section.findByText("Your body data isn't on this device yet. It comes with the next connection.");
  expect(section.queryByRole('alert')).toBe(null);
  phone.server.heal(getBioInfo);
  phone.setOnline(true);
  await section.findByText('61.5 kg');
});
