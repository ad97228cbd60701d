const REFRESH_PATH = '/v1/auth/refresh';
/** By then a browser has its cookie on the disk, and a used access token proves it. */
const ON_DISK_AFTER_MS = 40_000;
const WITHIN_GRACE_MS = 10_000;
const AFTER_GRACE_MS = 61_000;
/** After this long a refresh gives a session with a key a new token; before, it returns the same one. */
const NEXT_TOKEN_MS = 601_000;
/** Every node refuses an ended session's access token within this time. */
const ENDED_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;

/** The key with which a browser signs its requests (RFC 9449). */
interface BrowserKey {
  thumbprint: string;
  prove(claims: { htm: string; htu: string; iat: number }): Promise<string>;
}

/** A family of refresh tokens, oldest first, with the newest access token. */
interface Family {
  refresh_tokens: string[];
  access_token: string;
  /** Another session of the same user. */
  other: string;
  /** The key of the browser that started the session, if it has one. */
  key: BrowserKey | undefined;
}

/** The token to replay, and whether the replay must end the family. */
export interface Replay {
  name: string;
  /** How often the tokens rotate before the replay. */
  rotations: (index: number) => number;
  /** Whether the newest access token is used, which proves that its refresh token arrived. */
  confirmed: (index: number) => boolean;
  wait_ms: number;
  /** Index of the replayed token. */
  replayed: (index: number, rotations: number) => number;
  /** The key that proves the replay, in a session started with a key. Omitted: the session has none. */
  proof?: 'none' | 'own' | 'other';
  revokes: boolean;
}

export const REPLAYS: Replay[] = [
  {
    name: 'parent of a confirmed child after 60 s',
    rotations: () => 1,
    confirmed: () => true,
    wait_ms: AFTER_GRACE_MS,
    replayed: () => 0,
    revokes: true,
  },
  {
    name: 'any older token after 60 s',
    rotations: (index) => 2 + (index % 3),
    confirmed: (index) => index % 2 === 0,
    wait_ms: AFTER_GRACE_MS,
    replayed: (index, rotations) => index % (rotations - 1),
    revokes: true,
  },
  {
    name: 'parent again within 60 s (no theft)',
    rotations: () => 1,
    confirmed: () => true,
    wait_ms: WITHIN_GRACE_MS,
    replayed: () => 0,
    revokes: false,
  },
  {
    name: 'parent of a child that never arrived (no theft)',
    rotations: () => 1,
    confirmed: () => false,
    wait_ms: AFTER_GRACE_MS,
    replayed: () => 0,
    revokes: false,
  },
  {
    name: 'five generations old within 60 s, no key',
    rotations: () => 5,
    confirmed: (index) => index % 2 === 0,
    wait_ms: 0,
    replayed: () => 0,
    proof: 'none',
    revokes: true,
  },
  {
    name: 'newest or older, no key',
    rotations: () => 3,
    confirmed: (index) => index % 2 === 0,
    wait_ms: WITHIN_GRACE_MS,
    replayed: (index) => index % 4,
    proof: 'none',
    revokes: true,
  },
  {
    name: 'newest or older, with another key',
    rotations: () => 3,
    confirmed: (index) => index % 2 === 0,
    wait_ms: AFTER_GRACE_MS,
    replayed: (index) => index % 4,
    proof: 'other',
    revokes: true,
  },
  {
    name: 'any older with its own key (a crash)',
    rotations: () => 4,
    confirmed: () => true,
    wait_ms: AFTER_GRACE_MS,
    replayed: (index) => index % 4,
    proof: 'own',
    revokes: false,
  },
];

export interface Scene {
  url: string;
  /**
   * Creates a user with two sessions; returns their first refresh tokens. The first is bound to the key, if there is
   * one.
   */
  createUser(key: BrowserKey | undefined): Promise<{ refresh_token: string; other: string }>;
  createKey(): Promise<BrowserKey>;
  /** Returns the time of the server's clock, ms epoch. */
  now(): number;
  /**
   * Calls a second node, which shares only the database with the server. Returns true if the token still works there.
   */
  worksElsewhere(access_token: string): Promise<boolean>;
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

/** Replays a token in so many families concurrently. */
export async function replayTokens(scene: Scene, replay: Replay, count: number): Promise<ReplayFigures> {
  const families = await Promise.all(Array.from({ length: count }, () => begin(scene, replay)));
  const depth = Math.max(...families.map((_, index) => replay.rotations(index)));
  for (let rotation = 0; rotation < depth; rotation += 1) {
    await scene.passTime(replay.proof ? NEXT_TOKEN_MS : AFTER_GRACE_MS);
    const rotating = families.filter((_, index) => rotation < replay.rotations(index));
    await Promise.all(rotating.map((family) => rotate(scene, family)));
  }
  if (!replay.proof) await scene.passTime(ON_DISK_AFTER_MS);
  const confirming = families.filter((_, index) => replay.confirmed(index));
  await Promise.all(confirming.map((family) => confirm(scene, family)));
  // Now the second node has cached that the families live; it must learn of their end from the database.
  await Promise.all(confirming.map(({ access_token }) => scene.worksElsewhere(access_token)));
  await scene.passTime(replay.wait_ms);
  const replayed_at = performance.now();
  await Promise.all(
    families.map(async ({ refresh_tokens, key }, index) => {
      const shown = { none: undefined, own: key, other: await scene.createKey() }[replay.proof ?? 'none'];
      await refresh(scene, refresh_tokens[replay.replayed(index, replay.rotations(index))] ?? '', shown);
    }),
  );
  const refused_after_ms = replay.revokes ? await waitUntilRefused(scene, families, replayed_at) : 0;
  await scene.passTime(AFTER_GRACE_MS);
  const lives = await Promise.all(
    families.map(({ refresh_tokens, key }) => refresh(scene, refresh_tokens.at(-1) ?? '', key)),
  );
  await scene.passTime(AFTER_GRACE_MS);
  const others = await Promise.all(families.map(({ other }) => refresh(scene, other)));
  return {
    families: count,
    revoked: lives.filter((life) => life === undefined).length,
    refused_after_ms,
    others_alive: others.filter((other) => other !== undefined).length,
  };
}

async function begin({ createUser, createKey }: Scene, { proof }: Replay): Promise<Family> {
  const key = proof ? await createKey() : undefined;
  const { refresh_token, other } = await createUser(key);
  return { refresh_tokens: [refresh_token], access_token: '', other, key };
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
          (await readMe(scene.url, access_token)) === 200 || (await scene.worksElsewhere(access_token)),
      ),
    );
    const elapsed_ms = performance.now() - since_ms;
    if (!works.includes(true)) return elapsed_ms;
    if (elapsed_ms > 2 * ENDED_WITHIN_MS) return Number.POSITIVE_INFINITY;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function readMe(url: string, access_token: string): Promise<number> {
  const reply = await fetch(`${url}/v1/auth/me`, { headers: { authorization: `Bearer ${access_token}` } });
  await reply.arrayBuffer();
  return reply.status;
}

/** Returns the new tokens, or undefined if the session is over. Throws for any other answer. */
async function refresh({ url, now }: Scene, refresh_token: string, key?: BrowserKey) {
  const htu = url + REFRESH_PATH;
  const proof = await key?.prove({ htm: 'POST', htu, iat: Math.floor(now() / 1000) });
  const reply = await fetch(htu, {
    method: 'POST',
    headers: {
      origin: url,
      'sec-fetch-site': 'same-origin',
      cookie: `__Host-sendlap_refresh=${refresh_token}`,
      ...(proof ? { dpop: proof } : {}),
    },
  });
  const body = (await reply.json()) as { data?: { access_token: string } };
  if (reply.status === 401) return undefined;
  const [cookie = ''] = reply.headers.getSetCookie();
  const next = /^__Host-sendlap_refresh=([^;]+)/.exec(cookie)?.[1];
  if (!body.data || next === undefined) throw new Error(`a refresh was answered ${reply.status}`);
  return { access_token: body.data.access_token, refresh_token: next };
}

/** Returns whether the figures are as they must be. */
export function isAsPromised({ revokes }: Replay, figures: ReplayFigures): boolean {
  const { families, revoked, refused_after_ms, others_alive } = figures;
  return others_alive === families && revoked === (revokes ? families : 0) && refused_after_ms <= ENDED_WITHIN_MS;
}
