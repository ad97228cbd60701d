import { randomUUID } from 'node:crypto';
import { listActivities, syncActivities } from '@sendlap/contract/activities.ts';
import { authorize, getMe, refresh } from '@sendlap/contract/auth.ts';
import { listChats, listMessages, sendMessage } from '@sendlap/contract/chats.ts';
import { getDashboard } from '@sendlap/contract/dashboard.ts';
import { listFriends } from '@sendlap/contract/friends.ts';
import { getLeaderboard } from '@sendlap/contract/leaderboards.ts';
import { searchSportCenters } from '@sendlap/contract/sport-centers.ts';
import { CALLBACK_PATH } from '@sendlap/contract/wire/screens.ts';
import type { Crowd, CrowdMember } from './run-overloaded-node.ts';

/** Calls that are refused last. `sign_in`: its first step. */
export type EssentialKind = 'sign_in' | 'refresh' | 'own_user' | 'steps' | 'messages';

export interface AppCall {
  kind: 'ordinary' | EssentialKind;
  request: string;
  /** Called with the head of the reply of a success. */
  onSuccess?: (head: string) => void;
  /** Called at the end, whatever it is. */
  onEnd?: () => void;
}

const REFRESH_COOKIE = '__Host-sendlap_refresh';
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Activities of a member, two hours apart, before the oldest that the server takes. */
const MAX_ACTIVITIES = 150;

/** What phones ask for, in percent of all calls. */
const READS: readonly [number, (member: Member) => string][] = [
  [20, () => getDashboard.path],
  [15, () => `${listActivities.path}?limit=20`],
  [15, () => `${getLeaderboard.path}?period=week`],
  [10, () => listChats.path],
  [5, ({ chat_id }) => listMessages.path.replace(':chat_id', chat_id)],
  [5, () => listFriends.path],
  [10, () => `${searchSportCenters.path}?latitude=43.26&longitude=-2.93&radius_km=5&limit=10`],
];
/** The rest are refreshes. */
const ESSENTIALS: readonly [number, Exclude<EssentialKind, 'refresh'>][] = [
  [4, 'own_user'],
  [1, 'sign_in'],
  [8, 'messages'],
  [5, 'steps'],
];

interface Member extends CrowdMember {
  /** Of its address. */
  nth: number;
  activities: number;
  is_refreshing: boolean;
}

/** Returns a function that makes the next call of a crowd: a random member does what phones do, in these shares. */
export function createCalls({ people, centers }: Crowd, port: number, random: () => number): () => AppCall {
  const members = people.map((one, nth): Member => ({ ...one, nth, activities: 0, is_refreshing: false }));
  const head = (method: string, path: string, { nth }: Member) =>
    `${method} ${path} HTTP/1.1\r\nhost: localhost:${port}\r\nx-forwarded-for: 10.0.${nth >> 8}.${nth & 255}\r\n`;
  const bearer = ({ token }: Member) => `authorization: Bearer ${token}\r\n`;
  const read = (path: string, member: Member) => `${head('GET', path, member)}${bearer(member)}\r\n`;
  const post = (path: string, member: Member, body: object) => {
    const text = JSON.stringify(body);
    return `${head('POST', path, member)}${bearer(member)}content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
  };
  const step = (member: Member): AppCall => {
    const started_ms = Date.now() - 13 * DAY_MS + (member.activities % MAX_ACTIVITIES) * 2 * HOUR_MS;
    member.activities += 1;
    const client_id = randomUUID();
    const sport_center_id = centers[member.nth % centers.length];
    const started_at = new Date(started_ms).toISOString();
    const ended_at = new Date(started_ms + HOUR_MS).toISOString();
    const ops = [
      { kind: 'start', op_id: randomUUID(), client_id, sport_center_id, sport_type: 'climbing', started_at },
      { kind: 'finish', op_id: randomUUID(), client_id, ended_at },
    ];
    return { kind: 'steps', request: post(syncActivities.path, member, { ops }) };
  };
  const refreshSession = (member: Member): AppCall => {
    member.is_refreshing = true;
    const cookie = `cookie: ${REFRESH_COOKIE}=${member.refresh_token}\r\norigin: http://localhost:${port}\r\n`;
    return {
      kind: 'refresh',
      request: `${head('POST', refresh.path, member)}${cookie}content-length: 0\r\n\r\n`,
      onSuccess: (text) => {
        member.refresh_token = new RegExp(`${REFRESH_COOKIE}=([^;]+)`).exec(text)?.[1] ?? member.refresh_token;
      },
      onEnd: () => {
        member.is_refreshing = false;
      },
    };
  };
  const message = (member: Member): AppCall => {
    const path = sendMessage.path.replace(':chat_id', member.chat_id);
    return { kind: 'messages', request: post(path, member, { message: 'See you at seven', client_id: randomUUID() }) };
  };
  const redirect_uri = encodeURIComponent(`http://localhost:${port}${CALLBACK_PATH}`);
  const makeEssential: Record<EssentialKind, (member: Member) => AppCall> = {
    own_user: (member) => ({ kind: 'own_user', request: read(getMe.path, member) }),
    sign_in: (member) => ({
      kind: 'sign_in',
      request: `${head('GET', `${authorize.path}?redirect_uri=${redirect_uri}`, member)}\r\n`,
    }),
    messages: message,
    steps: step,
    refresh: (member) => (member.is_refreshing ? step(member) : refreshSession(member)),
  };
  return () => {
    const member = members[Math.floor(random() * members.length)];
    if (!member) throw new Error('the crowd is empty');
    let share = random() * 100;
    for (const [percent, pathOf] of READS) {
      if (share < percent) return { kind: 'ordinary', request: read(pathOf(member), member) };
      share -= percent;
    }
    for (const [percent, kind] of ESSENTIALS) {
      if (share < percent) return makeEssential[kind](member);
      share -= percent;
    }
    return makeEssential.refresh(member);
  };
}
