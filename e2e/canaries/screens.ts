import {
  activityPath,
  CHAT_PARAM,
  centerManagementPath,
  chatPath,
  FRIEND_PARAM,
  friendPath,
  PATHS,
  sportCenterPath,
} from '../../apps/web/src/shared/paths.ts';
import type { Channel } from './canaries.ts';
import { hasLicence, isEdited } from './center-files.ts';
import type { Spread, World } from './spread.ts';

export const PEOPLE = ['visitor', 'athlete', 'staff', 'operator'] as const;
export type Person = (typeof PEOPLE)[number];

export interface Screen {
  path: string;
  /** The channels of which each of these people must see a canary there, as the text that it is. */
  shows?: Partial<Record<Person, readonly Channel[]>>;
  /** Opened by this person alone; by default all open it. */
  only?: Person;
}

/** Those that some screen reads. */
const PARAMETERS = [
  CHAT_PARAM,
  FRIEND_PARAM,
  'q',
  'city',
  'badge',
  'activity',
  'error',
  'error_description',
  'state',
  'code',
  'search',
];

export type Places = Pick<World, 'center_ids'> & Spread;

/** Returns every screen of the app: an address without a row here fails the check of types. */
export function listScreens({ center_ids, activity_ids, chat_ids, strangers, codes }: Places): Screen[] {
  const [center = ''] = center_ids;
  const stranger = strangers[0]?.public_id ?? '';
  const at = (path: string, id: string) => path.replace(/:\w+/, id);
  const app: Record<keyof typeof PATHS, Screen> = {
    root: { path: PATHS.root },
    login: { path: PATHS.login, shows: { visitor: ['server name'] } },
    register: { path: PATHS.register },
    callback: { path: PATHS.callback },
    dashboard: { path: PATHS.dashboard, shows: { athlete: ['center name'] } },
    sportCenters: { path: PATHS.sportCenters, shows: { athlete: ['center town'] } },
    sportCenter: { path: at(PATHS.sportCenter, center), shows: { athlete: ['name', 'center town'] } },
    centerManagement: {
      path: at(PATHS.centerManagement, center),
      shows: { staff: ['appeal', 'edited center name', 'edited center phone'] },
    },
    centerClaim: { path: at(PATHS.centerClaim, center), shows: { athlete: ['edited center name'] } },
    // It draws its texts.
    centerPoster: { path: at(PATHS.centerPoster, center) },
    claims: { path: PATHS.claims, shows: { operator: ['claim', 'name', 'center name'] } },
    history: { path: PATHS.history, shows: { athlete: ['center name'] } },
    activity: { path: at(PATHS.activity, activity_ids[0] ?? ''), shows: { athlete: ['rejection'] } },
    scan: { path: PATHS.scan },
    generate: { path: PATHS.generate },
    decisions: { path: PATHS.decisions, shows: { staff: ['name', 'center name'], operator: ['appeal'] } },
    leaderboards: { path: PATHS.leaderboards, shows: { athlete: ['name'] } },
    badges: { path: PATHS.badges },
    recap: { path: PATHS.recap },
    profile: { path: PATHS.profile },
    friends: { path: PATHS.friends, shows: { athlete: ['name'], staff: ['name'] } },
    devices: { path: PATHS.devices },
    account: { path: PATHS.account },
    about: { path: PATHS.about },
    setup: { path: PATHS.setup },
    serverManagement: { path: PATHS.serverManagement, shows: { operator: ['server name'] } },
    people: { path: PATHS.people, shows: { operator: ['name'] } },
    person: { path: at(PATHS.person, stranger), shows: { operator: ['name'] } },
    newPerson: { path: PATHS.newPerson },
    staffedCenters: {
      path: PATHS.staffedCenters,
      shows: { operator: ['center name', 'edited center name', 'center town'] },
    },
    reports: { path: PATHS.reports, shows: { operator: ['report', 'name'] } },
    reviews: { path: PATHS.reviews, shows: { operator: ['name', 'center name', 'edited center name'] } },
    // Its newest page; the whole list is a part that has to be opened.
    audit: { path: PATHS.audit, shows: { operator: ['kept review'] } },
    kiosk: { path: PATHS.kiosk },
    kioskSetUp: { path: PATHS.kioskSetUp },
  };
  return [
    ...Object.values(app),
    { path: '/docs' },
    ...strangers.map(({ public_id }) => alone('athlete', friendPath(public_id), 'name')),
    alone('athlete', `${PATHS.sportCenters}?q=hit`, 'center name', 'center address'),
    // The number is for the browser: an address that differs in its fragment alone is no new page.
    ...codes.map((code, nth) => alone('staff', `${PATHS.scan}?${nth}#${code}`, 'name in a code')),
    ...chat_ids.map((id) => alone('athlete', chatPath(id), 'name', 'message')),
    ...activity_ids.map((id) => alone('athlete', activityPath(id), 'rejection')),
    ...center_ids.flatMap((id, nth) => [
      alone(
        'athlete',
        sportCenterPath(id),
        hasLicence(nth) ? 'center source' : 'center town',
        ...(isEdited(nth) ? ['closed day' as const] : []),
      ),
      alone('staff', centerManagementPath(id), isEdited(nth) ? 'edited center name' : 'center name'),
    ]),
  ];
}

function alone(only: Person, path: string, ...channels: Channel[]): Screen {
  return { path, only, shows: { [only]: channels } };
}

/** Returns addresses that a stranger may send as a link: each parameter and the fragment hold this text. */
export function temptingPaths(screens: readonly Screen[], makeText: (nth: number) => string): string[] {
  return screens
    .filter(({ only, path }) => only === undefined && !path.includes('?'))
    .map(({ path }, nth) => {
      const text = makeText(nth);
      const query = new URLSearchParams(PARAMETERS.map((name) => [name, text]));
      return `${path}?${query}#${encodeURIComponent(text)}`;
    });
}
