import { isMapEngine } from './map-engine.ts';

interface Group {
  name: string;
  test: RegExp | ((id: string) => boolean);
  tags?: ['$initial'];
  minShareCount?: number;
  entriesAware?: boolean;
  entriesAwareMergeThreshold?: number;
}

/** Code that so many screens need is loaded before them. */
const MANY = 3;
/** Features whose every step needs the server, so that the worker does not precache their chunks. */
const ONLINE_FEATURES = /\/features\/(\w+-management|area-loads|claims|setup)\//;

const PARTS = /\/web\/src\/(features|shared)\/|packages\/domain\//;

/**
 * The files of the app's code, the first match wins: libraries apart from our own code, texts apart from code, what all
 * screens need before what one screen needs. A screen that is not named here gets a file of its own. A group takes the
 * modules that its modules import, unless an earlier group has them.
 */
const GROUPS: Group[] = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|wouter)\// },
  { name: 'first', tags: ['$initial'], test: (id) => !isMapEngine(id) },
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
    test: /web\/src\/(features\/(auth|install|about)|app\/(NotFound|session\/drop-user)|shared\/(device|local-db|outbox|api\/user-reply))|contract\/src\/auth\.ts/,
  },
  {
    name: 'frame',
    test: source(
      'app/(layouts|welcome)|features/(badges/BadgeCelebrations|chats/(Chat(Root|Launcher)|load-panel)|friends/(FriendLiveUpdates|PersonSheet|RequestCount)|notifications/InApp|qr/decisions/ScanLiveUpdates)',
    ),
  },
  {
    name: 'people',
    test: source(
      'app/screens/(Profile|Friends)Screen|features/(users/(Account|Devices|Locked)Page|friends/find/AddByCode|notifications|offline)',
    ),
  },
  { name: 'ranks', test: source('app/screens/LeaderboardsScreen|features/(badges|dashboard/recap)/') },
  { name: 'server-management-calls', test: /packages\/contract\/src\/server-management\// },
  { name: 'parts', test: (id) => PARTS.test(id) && !ONLINE_FEATURES.test(id), minShareCount: 2 },
  { name: 'codes', test: source('app/screens/GenerateScreen|features/qr/decisions/(DecisionsPage|RefereeCard)') },
];

/** In the form of the bundler's option. */
export const CHUNKS = GROUPS.map((group, index) => ({ ...group, priority: GROUPS.length - index }));

function source(paths: string): RegExp {
  return new RegExp(`/web/src/(${paths})`);
}
