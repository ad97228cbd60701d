import { listActivities } from '@sendlap/contract/activities.ts';
import { getAuthConfig, getMe, logout, refresh, type Tokens } from '@sendlap/contract/auth.ts';
import { listBadges } from '@sendlap/contract/badges.ts';
import { type BioInfo, getBioInfo } from '@sendlap/contract/bio-info.ts';
import { listMyManagerRights } from '@sendlap/contract/center-management/managers.ts';
import { listChats } from '@sendlap/contract/chats.ts';
import { type Dashboard, getDashboard } from '@sendlap/contract/dashboard.ts';
import { listGivenDecisions } from '@sendlap/contract/decisions.ts';
import { listDevices, registerDevice } from '@sendlap/contract/devices.ts';
import { listBlocks, listFriendRequests, listFriends } from '@sendlap/contract/friends.ts';
import { getLeaderboard, getSurrounding } from '@sendlap/contract/leaderboards.ts';
import { getUserLocation, listPresentUsers } from '@sendlap/contract/locations.ts';
import { getMapConfig, TILES_PATH } from '@sendlap/contract/map/tiles.ts';
import { getMyOperatorRight } from '@sendlap/contract/operators.ts';
import { listAppeals, listMyRefereeRights } from '@sendlap/contract/referees.ts';
import { getServerProfile, type ServerProfile } from '@sendlap/contract/server-profile.ts';
import {
  getSportCenterFilterOptions,
  listRecommendedSportCenters,
  searchSportCenters,
} from '@sendlap/contract/sport-centers.ts';
import { getRecap, getSkills, getTrend } from '@sendlap/contract/stats.ts';
import { getSettings, listSessions, type Settings, type User } from '@sendlap/contract/users.ts';
import { isoWeekAt, isoWeekRange } from '@sendlap/domain/dates.ts';
import { SKILL_AXES } from '@sendlap/domain/progress/skills.ts';
import type { FakeServer } from './fake-server.ts';
import { NO_RECAP } from './recap.ts';
import { answerSealing } from './sealing-model.ts';

/** A bearer token that names its user, as the server's do, and its session if given. */
export function tokensOf(user: User, session_id?: string): Tokens {
  return { access_token: `e30.${btoa(JSON.stringify({ sub: user.id, sid: session_id }))}.x`, expires_in: 600 };
}

/** Answers the calls open to visitors: the ways to sign in, the map, no center yet. */
export function answerVisitors(server: FakeServer): void {
  server.on(getAuthConfig, () => ({
    provider: 'Sendlap',
    own_provider: true,
    password_login: true,
    password_reset: false,
  }));
  server.on(getServerProfile, () => SERVER_PROFILE);
  server.on(getMapConfig, () => ({ world: { max_zoom: 8, attribution: 'Natural Earth' }, streets: null }));
  server.onRaw(`${TILES_PATH}/`, () => new Response(null, { status: 204 }));
  server.on(searchSportCenters, () => ({ items: [], total: 0, total_is_lower_bound: false, next_cursor: null }));
  server.on(getSportCenterFilterOptions, () => ({ sports: [], countries: [], cities: [] }));
  server.on(listRecommendedSportCenters, () => []);
  server.refuse(refresh, 'refresh_invalid');
  server.refuse(getMe, 'unauthenticated');
}

/** Answers the athlete's session, and every list, empty as for a new account. */
export function answerSignedIn(server: FakeServer, user: User): void {
  const nothing = { items: [], next_cursor: null };
  server.on(refresh, () => tokensOf(user));
  server.on(getMe, () => ({ user }));
  server.on(logout, () => ({ logout_url: null }));
  server.on(getSettings, () => settingsOf(user));
  // Already saved, so that no card asks for it.
  server.on(getBioInfo, () => bioInfoOf(user));
  server.on(getDashboard, newDashboard);
  server.on(getSkills, () => newDashboard().skills);
  server.on(getTrend, () => newDashboard().trend);
  server.on(getRecap, () => NO_RECAP);
  server.on(listBadges, () => ({ items: [] }));
  server.on(listActivities, () => nothing);
  server.on(listGivenDecisions, () => nothing);
  server.on(listMyRefereeRights, () => nothing);
  server.on(listAppeals, () => nothing);
  server.on(getMyOperatorRight, () => ({ is_operator: false }));
  server.on(listMyManagerRights, () => nothing);
  server.on(listFriends, () => []);
  server.on(listFriendRequests, () => []);
  server.on(listBlocks, () => []);
  server.on(listChats, () => []);
  server.on(getUserLocation, () => null);
  server.on(listPresentUsers, () => []);
  server.on(listSessions, () => nothing);
  server.on(getLeaderboard, () => ({ ...emptyBoard(), next_cursor: null }));
  server.on(getSurrounding, () => ({ ...emptyBoard(), gap_to_next: null }));
  answerSealing(server, user);
  server.on(registerDevice, () => ({ key_id: DEVICE_KEY_ID, key: DEVICE_KEY }));
  server.on(listDevices, () => ({
    items: [{ key_id: DEVICE_KEY_ID, name: 'Phone', created_at: user.created_at, last_used_at: user.created_at }],
    next_cursor: null,
  }));
}

/** A server with an operator who has not named it. */
export const SERVER_PROFILE: ServerProfile = {
  name: null,
  town: null,
  area_loads: 'everyone',
  has_streets: false,
  join_url: 'https://sendlap.example',
  is_waiting_for_operator: false,
};

/** 32 bytes as base64url. */
const DEVICE_KEY = btoa('0123456789abcdef0123456789abcdef').replace(/=+$/, '');
export const DEVICE_KEY_ID = 'dddddddd-1111-4111-8111-111111111111';

function presentWeek() {
  const key = isoWeekAt(Date.now(), 'UTC');
  return { key, ...isoWeekRange(key) };
}

function emptyBoard() {
  return { items: [], me: null, total: 0, hidden: false, period: { ...presentWeek(), provisional: true } };
}

export function bioInfoOf(user: User): BioInfo {
  const saved_at = user.created_at;
  const id = 'bbbbbbbb-1111-4111-8111-111111111111';
  const body = { age: 30, weight_kg: 70, height_cm: 175, male: null };
  return { id, user_id: user.id, ...body, created_at: saved_at, updated_at: saved_at };
}

export function settingsOf(user: User): Settings {
  return {
    display_name: user.name,
    presence: false,
    boards: true,
    notifications: { messages: true, friends: true, proofs: true, show_text: false, quiet_hours: null },
  };
}

/** The dashboard of an account without any activity. */
export const newDashboard = (): Dashboard => ({
  lifetime_points: 0,
  week: { ...presentWeek(), time_zone: 'UTC', points: 0 },
  streak: { weeks: 0, target_days: 1, days_this_week: 0, rest_available: false },
  rank: null,
  rank_known: true,
  badges: { earned: 0, total: 0, latest: [], next: [] },
  skills: { axes: SKILL_AXES.map((axis) => ({ axis, value: 0, measured: 0, anchor: 100 })) },
  trend: { weeks: [] },
});

/** The dashboard of an athlete with a first confirmed activity, so that the skills are shown. */
export function answerSkills(server: FakeServer): void {
  const dashboard = newDashboard();
  const axes = dashboard.skills.axes.map((axis) => ({ ...axis, value: 10 }));
  server.on(getDashboard, (): Dashboard => ({ ...dashboard, lifetime_points: 235, skills: { axes } }));
}
