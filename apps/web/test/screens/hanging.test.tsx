import { getDashboard } from '@sendlap/contract/dashboard.ts';
import { listGivenDecisions } from '@sendlap/contract/decisions.ts';
import { listSessions } from '@sendlap/contract/users.ts';
import { screen, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { stopTimersOf } from '../device/device-clock.ts';
import { leaveMapOut } from '../device/map-code.ts';
import { ActivityModel, activityOf } from '../models/activity-model.ts';
import { answerBoards, IN_WEEK } from '../models/board-model.ts';
import { ChatModel } from '../models/chat-model.ts';
import { FriendModel } from '../models/friend-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { newDashboard } from '../models/signed-in.ts';
import { openApp, type Phone } from '../open-app.ts';
import { EVE, NORA } from '../people.ts';
import { findLog, openChatWith } from '../scenes/chat-panel.ts';

/** After this time the app gives a request up; here it must not wait for that. */
const REQUEST_TIMEOUT_MS = 10_000;
/** After this time without an answer the app says how old its data are. */
const SLOW_MS = 1_000;
const AGE = /as of|Last updated|were saved/i;

/** The app of an athlete with a friend, a chat, a swim, a rank and a decision, in a week of November. */
function openFullApp(path: string): Promise<Phone> {
  leaveMapOut();
  stopTimersOf(REQUEST_TIMEOUT_MS);
  return openApp({
    path,
    now: IN_WEEK,
    prepare(server) {
      answerCenter(server);
      new ActivityModel(server, [POOL], [activityOf(1, POOL)]);
      const friends = new FriendModel(server, NORA, [EVE]);
      friends.befriend(EVE);
      new ChatModel(server, NORA, [EVE]).put(EVE, EVE, 'See you at seven');
      answerBoards(server, NORA, 465, () => [900, 100]);
      server.on(getDashboard, () => ({ ...newDashboard(), week: { ...newDashboard().week, points: 465 } }));
      server.on(listGivenDecisions, () => ({ items: [decisionOf('Max')], next_cursor: null }));
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

interface Case {
  name: string;
  path: string;
  /** Returns what the phone knows; throws if it is not on the screen. */
  get: () => unknown;
}

const CASES: Case[] = [
  { name: 'Home', path: '/dashboard', get: () => screen.getByText('465') },
  { name: 'the shelf of badges', path: '/badges', get: () => screen.getByText(/^\d+ of \d+/) },
  { name: 'a board', path: '/leaderboards', get: () => screen.getByRole('listitem', { current: true }) },
  { name: 'the list of friends', path: '/friends', get: () => screen.getByText('eve') },
  { name: 'the list of devices', path: '/profile/devices', get: () => screen.getByText(/Chrome on Android/) },
  {
    name: 'a center',
    path: `/sport-centers/${POOL.id}`,
    get: () => screen.getByRole('heading', { level: 1, name: POOL.name }),
  },
  { name: 'the list of decisions', path: '/qr/decisions', get: () => screen.getByText(/Max/) },
  {
    name: 'the history',
    path: '/activities',
    get: () => within(screen.getByRole('main')).getAllByText(new RegExp(POOL.name)),
  },
];

test.each(CASES)(
  '$name shows what the phone knows while the server does not answer, after a second with its age, until the answer',
  async ({ path, get }) => {
    const phone = await openFullApp(path);
    await vi.waitFor(get);
    await runTurns();
    expect(screen.queryByText(AGE)).toBe(null);
    const answer = phone.server.hang();
    await phone.reload();
    await vi.waitFor(get);
    await phone.passTime(1_000);
    await vi.waitFor(() => screen.getAllByText(AGE));
    get();
    answer();
    await vi.waitFor(() => expect(screen.queryByText(AGE)).toBe(null));
    get();
  },
);

test.each(CASES)(
  '$name does not wait for the second after which the server counts as silent',
  async ({ path, get }) => {
    stopTimersOf(SLOW_MS);
    const phone = await openFullApp(path);
    await vi.waitFor(get);
    await runTurns();
    phone.server.hang();
    await phone.reload();
    await vi.waitFor(get);
    expect(screen.queryByText(AGE)).toBe(null);
  },
);

test.each([
  ['an activity', `/activities/${activityOf(1, POOL).client_id}`, /^331/],
  ['the profile', '/profile', /^nora$/],
])('%s shows what the phone knows while the server does not answer', async (_name, path, text) => {
  const phone = await openFullApp(path);
  await screen.findByText(text);
  await runTurns();
  phone.server.hang();
  await phone.reload();
  await screen.findByText(text);
});

test('a chat shows the messages that the phone knows while the server does not answer, and their age', async () => {
  const phone = await openFullApp('/dashboard');
  await openChatWith(phone, 'Eve');
  await within(await findLog()).findByText('See you at seven');
  await runTurns();
  phone.server.hang();
  await phone.reload();
  await openChatWith(phone, 'Eve');
  await within(await findLog()).findByText('See you at seven');
  await phone.passTime(1_000);
  await vi.waitFor(() => within(screen.getByRole('dialog')).getByText(AGE));
});
