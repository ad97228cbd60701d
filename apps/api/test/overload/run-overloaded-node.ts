import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LOAD_LIMITS } from '#api/http/listening/load-shedding.ts';
import { createAccessTokens } from '#api/sessions/access-tokens.ts';
import { createSessions } from '#api/sessions/sessions.ts';
import { NO_LOAD_LIMITS } from '../app/no-load-limits.ts';
import { openPatientDatabase } from '../database/patient-database.ts';
import { makeCenter } from '../factories.ts';
import { makePairs } from '../measured/chat-people.ts';
import { openScene } from '../measured/scene.ts';
import { answer } from '../measured/serve.ts';

/** The whole app with its own limits of time and load, for a program that overloads it. */
export type OverloadOrder =
  /** Creates people and centers: `Crowd`. Can be sent once. */
  | { what: 'crowd'; pairs: number }
  /** From now on requests are refused as usual, or never. */
  | { what: 'shed'; sheds: boolean }
  /** `NodeMemory` */
  | { what: 'memory' };

export interface Crowd {
  people: CrowdMember[];
  centers: string[];
}

export interface CrowdMember {
  token: string;
  refresh_token: string;
  /** With a friend. */
  chat_id: string;
}

export interface NodeMemory {
  /** After a collection of garbage. */
  used_bytes: number;
  rss_bytes: number;
}

const CENTERS = 60;
/** Sessions that are created concurrently. */
const AT_ONCE = 16;
/** Longer than a run: no call of it renews a token. */
const TOKEN_MS = 3_600_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const load_limits = { ...LOAD_LIMITS };
const centers: string[] = [];
const scene = await openScene(
  // The load uses as many client addresses as the rate limits need.
  { TRUST_PROXY: '1' },
  async (database) => {
    for (let nth = 0; nth < CENTERS; nth += 1) centers.push(await makeCenter(database));
  },
  { load_limits, has_server_timeouts: true },
);
// The preparation may take as long as it likes.
const database = openPatientDatabase(scene.database_url);
const sessions = createSessions({ database, secrets: scene.secrets });
const access_tokens = createAccessTokens({ ...scene, now: Date.now });

async function makeCrowd(pairs: number): Promise<Crowd> {
  const made = await makePairs(database, pairs, 1);
  const members = made.flatMap(({ chat_id, sender_id, receiver_id }) =>
    [sender_id, receiver_id].map((user_id) => ({ chat_id, user_id })),
  );
  const people: CrowdMember[] = [];
  for (let at = 0; at < members.length; at += AT_ONCE) {
    const signed_in = members.slice(at, at + AT_ONCE).map(async ({ chat_id, user_id }) => {
      const { session_id, refresh_token } = await sessions.create(user_id, 'Phone');
      const claims = { user_id, session_id, generation: 0, locked: false };
      const token = await access_tokens.issue(claims, Date.now() + TOKEN_MS);
      return { token, refresh_token, chat_id };
    });
    people.push(...(await Promise.all(signed_in)));
  }
  return { people, centers };
}

async function carryOut(order: OverloadOrder): Promise<object> {
  if (order.what === 'crowd') return makeCrowd(order.pairs);
  if (order.what === 'shed') {
    return Object.assign(load_limits, order.sheds ? LOAD_LIMITS : NO_LOAD_LIMITS);
  }
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { used_bytes: heapUsed + external, rss_bytes: rss } satisfies NodeMemory;
}

answer<object, OverloadOrder>({ port: Number(new URL(scene.url).port), path: '/', headers: {} }, carryOut);
