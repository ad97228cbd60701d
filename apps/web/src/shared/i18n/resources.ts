import type about from './en/about.json';
import type activities from './en/activities.json';
import type areaLoads from './en/area-loads.json';
import type auth from './en/auth.json';
import type badges from './en/badges.json';
import type centerManagement from './en/center-management.json';
import type centerSearch from './en/center-search.json';
import type chats from './en/chats.json';
import type claims from './en/claims.json';
import type dashboard from './en/dashboard.json';
import type errors from './en/errors.json';
import type friends from './en/friends.json';
import type history from './en/history.json';
import type install from './en/install.json';
import type kiosk from './en/kiosk.json';
import type leaderboards from './en/leaderboards.json';
import type locations from './en/locations.json';
import type notifications from './en/notifications.json';
import type offline from './en/offline.json';
import type oneTimeLink from './en/one-time-link.json';
import type outbox from './en/outbox.json';
import type proofs from './en/proofs.json';
import type qr from './en/qr.json';
import type serverManagement from './en/server-management.json';
import type setup from './en/setup.json';
import type shell from './en/shell.json';
import type sportCenters from './en/sport-centers.json';
import type tour from './en/tour.json';
import type users from './en/users.json';

/** One namespace per noun. A new one is two JSON files of the same name and one line here. */
interface Resources {
  about: typeof about;
  activities: typeof activities;
  'area-loads': typeof areaLoads;
  auth: typeof auth;
  badges: typeof badges;
  'center-management': typeof centerManagement;
  'center-search': typeof centerSearch;
  chats: typeof chats;
  claims: typeof claims;
  dashboard: typeof dashboard;
  errors: typeof errors;
  friends: typeof friends;
  history: typeof history;
  install: typeof install;
  kiosk: typeof kiosk;
  leaderboards: typeof leaderboards;
  locations: typeof locations;
  'server-management': typeof serverManagement;
  notifications: typeof notifications;
  offline: typeof offline;
  'one-time-link': typeof oneTimeLink;
  outbox: typeof outbox;
  proofs: typeof proofs;
  qr: typeof qr;
  setup: typeof setup;
  shell: typeof shell;
  'sport-centers': typeof sportCenters;
  tour: typeof tour;
  users: typeof users;
}
export type Namespace = keyof Resources;

/** The keys of a noun's texts: `title`, `scan.title`. */
export type TextKey<N extends Namespace> = Paths<Resources[N]>;
type Paths<Texts> = {
  [Name in keyof Texts & string]: Texts[Name] extends string ? Name : `${Name}.${Paths<Texts[Name]>}`;
}[keyof Texts & string];
