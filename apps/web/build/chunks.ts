import { isMapEngine } from './map-engine.ts';

interface Group {
  name: string | ((id: string) => string | null);
  test: RegExp | ((id: string) => boolean);
  tags?: ['$initial'];
  minShareCount?: number;
  entriesAware?: boolean;
  entriesAwareMergeThreshold?: number;
}

/** Code that so many screens need is loaded before them. */
const MANY = 3;
const TEXTS = /\/i18n\/(en|es)\/([\w-]+)\.json\?compiled$/;
/**
 * The nouns whose texts share a file. Any other noun has a file of its own: its screens need the server (loads of areas,
 * claims, set-up, management), and the worker does not precache them.
 */
export const TEXT_GROUPS: Record<string, readonly string[]> = {
  start: ['shell', 'auth', 'errors', 'install', 'about'],
  home: ['dashboard', 'activities', 'history', 'leaderboards', 'badges', 'outbox', 'tour'],
  codes: ['qr', 'proofs', 'kiosk'],
  people: ['users', 'friends', 'chats', 'notifications', 'sport-centers', 'center-search', 'locations', 'offline'],
};
/** Features whose every step needs the server, so that the worker does not precache their chunks. */
const ONLINE_FEATURES = /\/features\/(\w+-management|area-loads|claims|setup)\//;

/**
 * The files of the app's code, the first match wins: libraries apart from our own code, texts apart from code, what all
 * screens need before what one screen needs. A screen that is not named here gets a file of its own. A group takes the
 * modules that its modules import, unless an earlier group has them.
 */
const GROUPS: Group[] = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|wouter)\// },
  { name: 'first', tags: ['$initial'], test: (id) => !isMapEngine(id) },
  { name: textChunk, test: TEXTS },
  { name: 'map', test: isMapEngine, entriesAware: true, entriesAwareMergeThreshold: 200_000 },
  { name: 'code-reader', test: /node_modules\/(barcode-detector|zxing-wasm)\// },
  { name: 'schemas', test: /node_modules\/(zod|idb)\// },
  {
    name: 'data',
    test: /packages\/(contract|domain)\/|web\/src\/shared\/(api|device|live|local-db|outbox)\//,
    minShareCount: MANY,
  },
  {
    name: 'toolkit',
    test: /node_modules\/(@base-ui\/react\/(toast|use-button)|@tanstack\/(query-core|react-query)|uqr)\//,
  },
  { name: 'screens', test: source('features|shared'), minShareCount: MANY },
  { name: 'sheet', test: source('shared/ui/sheet/SheetSurface') },
  { name: 'layout', test: source('app/layouts/SignedInLayout') },
  { name: 'home', test: source('app/screens/DashboardScreen') },
  {
    name: 'session',
    test: /web\/src\/(features\/(auth|install|about)|app\/(NotFound|session\/drop-user)|shared\/(device|local-db|outbox))|contract\/src\/auth\.ts/,
  },
  {
    name: 'frame',
    test: source(
      'app/layouts|features/(badges/BadgeCelebrations|chats/(Chat(Root|Launcher)|load-panel)|friends/(FriendLiveUpdates|PersonSheet|RequestsBadge)|notifications/InApp|qr/decisions/ScanLiveUpdates)',
    ),
  },
  { name: 'settings', test: source('features/(users/(Account|Devices|Locked)Page|notifications|offline)') },
  { name: 'people', test: source('app/screens/(Profile|Friends)Screen') },
  { name: 'ranks', test: source('app/screens/LeaderboardsScreen|features/(badges|dashboard/recap)/') },
  { name: 'on-demand', test: source('features/(activities/EditSheet|friends/find/AddByCode)') },
  { name: 'parts', test: (id) => source('features|shared').test(id) && !ONLINE_FEATURES.test(id), minShareCount: 2 },
  { name: 'codes', test: source('app/screens/GenerateScreen|features/qr/decisions/(DecisionsPage|RefereeCard)') },
];

/** In the form of the bundler's option. */
export const CHUNKS = GROUPS.map((group, index) => ({ ...group, priority: GROUPS.length - index }));

function source(paths: string): RegExp {
  return new RegExp(`/web/src/(${paths})`);
}

/** Returns `texts-es-home` for the Spanish texts of the dashboard. */
function textChunk(id: string): string | null {
  const [, language, noun = ''] = TEXTS.exec(id) ?? [];
  if (language === undefined) return null;
  const group = Object.keys(TEXT_GROUPS).find((name) => TEXT_GROUPS[name]?.includes(noun));
  return `texts-${language}-${group ?? noun}`;
}
