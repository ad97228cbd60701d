import { getDashboard } from '@sendlap/contract/dashboard.ts';
import { listGivenDecisions } from '@sendlap/contract/decisions.ts';
import { listAppeals, listMyRefereeRights } from '@sendlap/contract/referees.ts';
import { searchSportCenters } from '@sendlap/contract/sport-centers.ts';
import { getRecap } from '@sendlap/contract/stats.ts';
import { listSessions } from '@sendlap/contract/users.ts';
import { screen, within } from '@testing-library/dom';
import { PATHS } from '#web/shared/paths.ts';
import { stubMap } from '../device/stub-map.ts';
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
import { openChatWith } from './chat-panel.ts';

/** The app of an athlete with a friend, a chat, a swim, a rank and a decision, in a week of November. */
export function openFullApp(path: string): Promise<Phone> {
  stubMap();
  return openApp({
    path,
    now: IN_WEEK,
    prepare(server) {
      answerCenter(server);
      server.on(searchSportCenters, () => ({
        items: [{ ...POOL, distance_km: 3 }],
        total: 1,
        total_is_lower_bound: false,
        next_cursor: null,
      }));
      const swim = activityOf(1, POOL);
      new ActivityModel(server, [POOL], [swim]).setDetail(swim.client_id, { proofs: [attempt] });
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

const attempt = {
  method: 'peer' as const,
  decision: 'confirm' as const,
  outcome: 'waiting' as const,
  code: null,
  reason: null,
  at: '2026-11-20T10:50:00.000Z',
  by: 'Max',
  distance_class: 'unknown' as const,
  count: 1,
};

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

/** A screen, or a part of one, that shows copies of what the server knows. */
export interface CopyScreen {
  name: string;
  /** Its route, see the router. */
  route: string;
  /** Without it, the route. */
  path?: string;
  /** Opens the part of the screen; without it, the address is enough. */
  open?: (phone: Phone) => Promise<void>;
  /** Returns what the phone knows; throws if it is not on the screen. */
  get: () => unknown;
  /** The part that says how old it is; without it, the whole screen. */
  area?: () => HTMLElement;
  /** Not deleted after 24 hours: messages and the list of their chats stay, and an appeal is over by then. */
  is_kept?: boolean;
}

const chatPanel = () => screen.getByRole('dialog');

function sectionOf(name: string): HTMLElement {
  const section = screen.getByRole('heading', { name }).closest('section');
  if (!section) throw new Error(`${name} is in no section`);
  return section;
}

export const bodySection = () => sectionOf('Body data');
const confirmations = () => sectionOf('Confirmations');
const proofsSection = () => sectionOf('Who can confirm your activity here');

async function openChats({ user }: Phone): Promise<void> {
  await user.click(await screen.findByRole('button', { name: /^Open chats/ }));
}

async function openNewChat(phone: Phone): Promise<void> {
  await openChats(phone);
  await phone.user.click(await screen.findByRole('button', { name: 'Start New Chat' }));
}

export const COPY_SCREENS: CopyScreen[] = [
  { name: 'Home', route: PATHS.dashboard, get: () => screen.getByText('465') },
  { name: 'the shelf of badges', route: PATHS.badges, get: () => screen.getByText(/^\d+ of \d+/) },
  { name: 'the recap', route: PATHS.recap, get: () => screen.getByText('1,465 points in total') },
  { name: 'a board', route: PATHS.leaderboards, get: () => screen.getByRole('listitem', { current: true }) },
  { name: 'the list of friends', route: PATHS.friends, get: () => screen.getByText('eve') },
  { name: 'the list of requests', route: PATHS.friends, get: () => screen.getByRole('button', { name: 'Accept Max' }) },
  {
    name: 'the profile of a friend',
    route: PATHS.friends,
    path: `/friends?friend=${EVE.public_id}`,
    get: () => screen.getByRole('button', { name: 'Remove friend' }),
  },
  {
    name: 'the list of centers',
    route: PATHS.sportCenters,
    get: () => screen.getByRole('link', { name: /La Cebada/ }),
  },
  { name: 'the list of devices', route: PATHS.devices, get: () => screen.getByText(/Chrome on Android/) },
  { name: 'body data', route: PATHS.profile, area: bodySection, get: () => screen.getByText('61.5 kg') },
  {
    name: 'the choice of who sees me',
    route: PATHS.profile,
    get: () => screen.getByRole('switch', { name: 'Show me on boards', checked: true }),
  },
  {
    name: 'a center',
    route: PATHS.sportCenter,
    path: `/sport-centers/${POOL.id}`,
    get: () => screen.getByRole('heading', { level: 1, name: POOL.name }),
  },
  {
    name: 'the proofs of a center',
    route: PATHS.sportCenter,
    path: `/sport-centers/${POOL.id}`,
    area: proofsSection,
    get: () => within(proofsSection()).getByText('Today: you and your friends'),
  },
  { name: 'the list of decisions', route: PATHS.decisions, get: () => screen.getByText(/Max/) },
  { name: 'the list of appeals', route: PATHS.decisions, is_kept: true, get: () => screen.getByText(/Ines/) },
  {
    name: 'the history',
    route: PATHS.history,
    get: () => within(screen.getByRole('main')).getAllByText(new RegExp(POOL.name)),
  },
  {
    name: 'the calendar',
    route: PATHS.history,
    path: '/activities?view=calendar',
    get: () => screen.getByRole('button', { name: /\b20\b.*, 1 activity/ }),
  },
  {
    name: 'an activity',
    route: PATHS.activity,
    path: `/activities/${activityOf(1, POOL).client_id}`,
    get: () => within(screen.getByRole('main')).getAllByText(new RegExp(POOL.name)),
  },
  {
    name: 'the confirmations of an activity',
    route: PATHS.activity,
    path: `/activities/${activityOf(1, POOL).client_id}`,
    area: confirmations,
    get: () => within(confirmations()).getByText('Confirmation by Max, friend'),
  },
  {
    name: 'the list of chats',
    is_kept: true,
    route: PATHS.dashboard,
    open: openChats,
    area: chatPanel,
    get: () => within(chatPanel()).getByText('See you at seven'),
  },
  {
    name: 'a chat',
    is_kept: true,
    route: PATHS.dashboard,
    open: (phone) => openChatWith(phone, 'Eve'),
    area: chatPanel,
    get: () => within(screen.getByRole('log')).getByText('See you at seven'),
  },
  {
    name: 'the friends to begin a chat with',
    route: PATHS.dashboard,
    open: openNewChat,
    area: chatPanel,
    get: () => within(chatPanel()).getByRole('button', { name: /Eve/ }),
  },
];

const AGE = /as of|updated|were saved|offline, saved/i;

/** Where a screen says how old its data are; it may hold more than one. */
export const ages = ({ area = () => document.body }: CopyScreen) => within(area()).queryAllByText(AGE);
