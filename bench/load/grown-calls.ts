/** What the paths of calls name, in a database that `fillGrowth` has filled. */
export interface GrownIds {
  /** The longest chat of athlete 1, and the number of its last message. */
  chat_id: string;
  last_seq: number;
  /** A validated one of athlete 1. */
  activity_id: string;
  /** Center 1. */
  center: { id: string; latitude: number; longitude: number };
}

interface GrownRead {
  path: (ids: GrownIds) => string;
  as: 'busy' | 'staff' | 'referee' | 'anyone';
}

const at = ({ center }: GrownIds) => `latitude=${center.latitude.toFixed(4)}&longitude=${center.longitude.toFixed(4)}`;
const reads = (as: GrownRead['as'], paths: (string | GrownRead['path'])[]): GrownRead[] =>
  paths.map((path) => ({ as, path: typeof path === 'string' ? () => path : path }));

/** Every read of the app but the streams, the exports, the map's tiles and those that ask no database. */
export const GROWN_READS: GrownRead[] = [
  ...reads('anyone', [
    '/v1/server',
    '/v1/sport-centers',
    '/v1/sport-centers/filter-options',
    (ids) => `/v1/sport-centers/search?${at(ids)}&radius_km=5`,
    '/v1/sport-centers/search?q=piscina',
    (ids) => `/v1/sport-centers/recommended?${at(ids)}`,
    (ids) => `/v1/sports/climbing/find?${at(ids)}`,
    ({ center }) => `/v1/sport-centers/${center.id}`,
    ({ center }) => `/v1/sport-centers/${center.id}/proofs`,
    '/v1/places/search?q=bil',
  ]),
  ...reads('busy', [
    '/v1/auth/me',
    '/v1/dashboard',
    '/v1/badges',
    '/v1/stats/skills',
    '/v1/stats/trend',
    '/v1/stats/recap',
    '/v1/activities',
    '/v1/activities?status=rejected',
    '/v1/activities?sport=swimming',
    ({ activity_id }) => `/v1/activities/${activity_id}`,
    '/v1/leaderboards',
    '/v1/leaderboards?period=season',
    '/v1/leaderboards?period=all',
    '/v1/leaderboards?period=all&scope=friends',
    ({ center }) => `/v1/leaderboards?period=all&sport_center_id=${center.id}`,
    '/v1/leaderboards/surrounding?period=all',
    '/v1/friends',
    '/v1/friends/requests/pending',
    '/v1/friends/blocks',
    '/v1/chats',
    ({ chat_id }) => `/v1/chats/${chat_id}/messages`,
    ({ chat_id, last_seq }) => `/v1/chats/${chat_id}/messages?before=${Math.ceil(last_seq / 2)}`,
    '/v1/devices',
    '/v1/referees/me',
    '/v1/managers/me',
    '/v1/operators/me',
    '/v1/users/sessions',
    '/v1/users/settings',
    '/v1/users/me/deletion',
    '/v1/users/location/current',
    ({ center }) => `/v1/sport-centers/${center.id}/claim`,
  ]),
  ...reads('referee', ['/v1/activities/decisions', '/v1/referees/appeals']),
  ...reads('staff', [
    ({ center }) => `/v1/sport-centers/${center.id}/staff`,
    ({ center }) => `/v1/sport-centers/${center.id}/details`,
    ({ center }) => `/v1/sport-centers/${center.id}/hours`,
    ({ center }) => `/v1/sport-centers/${center.id}/appeals`,
    ({ center }) => `/v1/sport-centers/${center.id}/reviews`,
    ({ center }) => `/v1/sport-centers/${center.id}/weeks`,
    '/v1/manage/overview',
    '/v1/manage/centers',
    '/v1/manage/people',
    '/v1/manage/people?q=grown-77@example.org',
    '/v1/manage/people/grown-1',
    '/v1/manage/reports',
    '/v1/manage/reviews',
    '/v1/manage/audit',
    '/v1/claims',
    '/v1/area-loads',
    '/v1/street-loads',
  ]),
];
