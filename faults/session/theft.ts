import { setTimeout as pause } from 'node:timers/promises';

const REFRESH_PATH = '/v1/auth/refresh';
/** From this age on, use of the access token proves that the browser has its refresh token on disk (server: 35 s). */
const ON_DISK_AFTER_MS = 40_000;
const WITHIN_GRACE_MS = 10_000;
const AFTER_GRACE_MS = 61_000;
/** In a session with a key, a refresh returns a new refresh token only after this time; before, the same one. */
const NEXT_TOKEN_MS = 601_000;
/** Every node refuses an ended session's access token within this time. */
const ENDED_WITHIN_MS = 5_000;
const POLL_INTERVAL_MS = 50;
/** A refusal in an overload asks for a pause of seconds. */
const MOST_REFUSALS = 30;

/** The key with which a browser signs its requests (RFC 9449). */
interface BrowserKey {
  thumbprint: string;
  prove(claims: { htm: string; htu: string; iat: number }): Promise<string>;
}

/** A family of refresh tokens, oldest first, with the newest access token. */
interface Family {
  refresh_tokens: string[];
  access_token: string;
  /** Refresh token of another session of the same user, which must survive. */
  other_session_token: string;
  /** The key of the browser that started the session, if it has one. */
  key: BrowserKey | undefined;
}

/** The token to replay, and whether the replay must end the family. */
export interface Replay {
  name: string;
  /** How often the tokens of the family with this index rotate before the replay. */
  rotations: (family_index: number) => number;
  /** Whether the newest access token is used, which proves that its refresh token arrived. */
  confirmed: (family_index: number) => boolean;
  wait_ms: number;
  /** Index of the replayed token. */
  replayedIndex: (family_index: number, rotations: number) => number;
  /** The key that signs the replay, in a session started with a key: none, its own or another. Omitted: no key. */
  proof?: 'none' | 'own' | 'other';
  must_revoke: boolean;
}

export const REPLAYS: Replay[] = [
  {
    name: 'parent of a confirmed child after 60 s',
    rotations: () => 1,
    confirmed: () => true,
    wait_ms: AFTER_GRACE_MS,
    replayedIndex: () => 0,
    must_revoke: true,
  },
  {
    name: 'any older token after 60 s',
    rotations: (index) => 2 + (index % 3),
    confirmed: (index) => index % 2 === 0,
    wait_ms: AFTER_GRACE_MS,
    replayedIndex: (index, rotations) => index % (rotations - 1),
    must_revoke: true,
  },
  {
    name: 'parent again within 60 s (no theft)',
    rotations: () => 1,
    confirmed: () => true,
    wait_ms: WITHIN_GRACE_MS,
    replayedIndex: () => 0,
    must_revoke: false,
  },
  {
    name: 'parent of a child that never arrived (no theft)',
    rotations: () => 1,
    confirmed: () => false,
    wait_ms: AFTER_GRACE_MS,
    replayedIndex: () => 0,
    must_revoke: false,
  },
  {
    name: 'five generations old within 60 s, no key',
    rotations: () => 5,
    confirmed: (index) => index % 2 === 0,
    wait_ms: 0,
    replayedIndex: () => 0,
    proof: 'none',
    must_revoke: true,
  },
  {
    name: 'newest or older, no key',
    rotations: () => 3,
    confirmed: (index) => index % 2 === 0,
    wait_ms: WITHIN_GRACE_MS,
    replayedIndex: (index) => index % 4,
    proof: 'none',
    must_revoke: true,
  },
  {
    name: 'newest or older, with another key',
    rotations: () => 3,
    confirmed: (index) => index % 2 === 0,
    wait_ms: AFTER_GRACE_MS,
    replayedIndex: (index) => index % 4,
    proof: 'other',
    must_revoke: true,
  },
  {
    name: 'any older with its own key (a crash)',
    rotations: () => 4,
    confirmed: () => true,
    wait_ms: AFTER_GRACE_MS,
    replayedIndex: (index) => index % 4,
    proof: 'own',
    must_revoke: false,
  },
];

export interface Scene {
  url: string;
  /**
   * Creates a user with two sessions; returns their first refresh tokens. The first is bound to the key, if there is
   * one.
   */
  createUser(key: BrowserKey | undefined): Promise<{ refresh_token: string; other_session_token: string }>;
  createKey(): Promise<BrowserKey>;
  /** Returns the time of the server's clock, ms epoch. */
  now(): number;
  /**
   * Calls a second node, which shares only the database with the server. Returns true if the token still works there.
   */
  worksOnSecondNode(access_token: string): Promise<boolean>;
  passTime(duration_ms: number): Promise<void>;
}

export interface ReplayFigures {
  families: number;
  /** Families whose newest refresh token no longer works. */
  revoked: number;
  /** The longest time until the newest access token was refused, at the server and at a second node. */
  refused_after_ms: number;
  others_alive: number;
}

/** Replays a token in `count` families concurrently. */
export async function replayTokens(scene: Scene, replay: Replay, count: number): Promise<ReplayFigures> {
  const families = await Promise.all(Array.from({ length: count }, () => startFamily(scene, replay)));
  const depth = Math.max(...families.map((_, index) => replay.rotations(index)));
  for (let rotation = 0; rotation < depth; rotation += 1) {
    await scene.passTime(replay.proof ? NEXT_TOKEN_MS : AFTER_GRACE_MS);
    const rotating = families.filter((_, index) => rotation < replay.rotations(index));
    await Promise.all(rotating.map((family) => rotate(scene, family)));
  }
  if (!replay.proof) await scene.passTime(ON_DISK_AFTER_MS);
  const confirming = families.filter((_, index) => replay.confirmed(index));
  await Promise.all(confirming.map((family) => confirm(scene, family)));
  // Now the second node has cached these sessions as valid; only the database can tell it that they have ended.
  await Promise.all(confirming.map(({ access_token }) => scene.worksOnSecondNode(access_token)));
  await scene.passTime(replay.wait_ms);
  const replayed_at = performance.now();
  await Promise.all(
    families.map(async ({ refresh_tokens, key }, index) => {
      const proof_key = { none: undefined, own: key, other: await scene.createKey() }[replay.proof ?? 'none'];
      await refresh(scene, refresh_tokens[replay.replayedIndex(index, replay.rotations(index))] ?? '', proof_key);
    }),
  );
  const refused_after_ms = replay.must_revoke ? await waitUntilRefused(scene, families, replayed_at) : 0;
  await scene.passTime(AFTER_GRACE_MS);
  const last_refreshes = await Promise.all(
    families.map(({ refresh_tokens, key }) => refresh(scene, refresh_tokens.at(-1) ?? '', key)),
  );
  await scene.passTime(AFTER_GRACE_MS);
  const others = await Promise.all(families.map(({ other_session_token }) => refresh(scene, other_session_token)));
  return {
    families: count,
    revoked: last_refreshes.filter((tokens) => tokens === undefined).length,
    refused_after_ms,
    others_alive: others.filter((other) => other !== undefined).length,
  };
}

async function startFamily({ createUser, createKey }: Scene, { proof }: Replay): Promise<Family> {
  const key = proof ? await createKey() : undefined;
  const { refresh_token, other_session_token } = await createUser(key);
  return { refresh_tokens: [refresh_token], access_token: '', other_session_token, key };
}

async function rotate(scene: Scene, family: Family): Promise<void> {
  const tokens = await refresh(scene, family.refresh_tokens.at(-1) ?? '', family.key);
  if (!tokens) throw new Error('a live session was refused');
  family.refresh_tokens.push(tokens.refresh_token);
  family.access_token = tokens.access_token;
}

async function confirm({ url }: Scene, { access_token }: Family): Promise<void> {
  if ((await readMe(url, access_token)) !== 200) throw new Error('a new access token was refused');
}

async function waitUntilRefused(scene: Scene, families: Family[], since_ms: number): Promise<number> {
  for (;;) {
    const works = await Promise.all(
      families.map(
        async ({ access_token }) =>
          (await readMe(scene.url, access_token)) === 200 || (await scene.worksOnSecondNode(access_token)),
      ),
    );
    const elapsed_ms = performance.now() - since_ms;
    if (!works.includes(true)) return elapsed_ms;
    if (elapsed_ms > 2 * ENDED_WITHIN_MS) return Number.POSITIVE_INFINITY;
    await pause(POLL_INTERVAL_MS);
  }
}

/** Repeats a call that an overloaded server refused, as a phone does. `send` makes a new request each time. */
async function sendUntilAdmitted(send: () => Promise<Response>): Promise<Response> {
  for (let refusals = 0; ; refusals += 1) {
    const reply = await send();
    if (reply.status !== 503 || refusals === MOST_REFUSALS) return reply;
    await reply.arrayBuffer();
    await pause(Number(reply.headers.get('retry-after')) * 1_000);
  }
}

async function readMe(url: string, access_token: string): Promise<number> {
  const headers = { authorization: `Bearer ${access_token}` };
  const reply = await sendUntilAdmitted(() => fetch(`${url}/v1/auth/me`, { headers }));
  await reply.arrayBuffer();
  return reply.status;
}

/** Returns the new tokens, or undefined if the session is over. Throws for any other answer. */
async function refresh({ url, now }: Scene, refresh_token: string, key?: BrowserKey) {
  const htu = url + REFRESH_PATH;
  const reply = await sendUntilAdmitted(async () => {
    const proof = await key?.prove({ htm: 'POST', htu, iat: Math.floor(now() / 1000) });
    return fetch(htu, {
      method: 'POST',
      headers: {
        origin: url,
        'sec-fetch-site': 'same-origin',
        cookie: `__Host-sendlap_refresh=${refresh_token}`,
        ...(proof ? { dpop: proof } : {}),
      },
    });
  });
  const body = (await reply.json()) as { data?: { access_token: string } };
  if (reply.status === 401) return undefined;
  const [cookie = ''] = reply.headers.getSetCookie();
  const next = /^__Host-sendlap_refresh=([^;]+)/.exec(cookie)?.[1];
  if (!body.data || next === undefined) throw new Error(`a refresh was answered ${reply.status}`);
  return { access_token: body.data.access_token, refresh_token: next };
}

/** Returns whether the replay ended all families in time if it must, none otherwise, and no other session. */
export function isAsPromised({ must_revoke }: Replay, figures: ReplayFigures): boolean {
  const { families, revoked, refused_after_ms, others_alive } = figures;
  return others_alive === families && revoked === (must_revoke ? families : 0) && refused_after_ms <= ENDED_WITHIN_MS;
}
