import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database/database.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { createSecrets } from '../database/secrets.ts';
import { createAccessTokens } from './access-tokens.ts';
import { createSessions, type Sessions } from './sessions.ts';

const MINUTE_MS = 60_000;
/** By then a browser has written its cookies to disk. */
const KEPT_MS = 36_000;
/** Noon, so that the following hours are on the same UTC day. */
const START_MS = Date.UTC(2026, 10, 21, 12);

let now_ms = START_MS;
let own: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;
let sessions: Sessions;
beforeAll(async () => {
  own = await createTestDatabase();
  database = openDatabase(own.url);
  sessions = openNode();
});
afterAll(async () => {
  await database.destroy();
  await own.drop();
});
beforeEach(() => {
  now_ms = START_MS;
});

function openNode(): Sessions {
  const secrets = createSecrets('a secret for tests, at least 32 characters long');
  return createSessions({ database, secrets, now: () => now_ms });
}

async function signIn() {
  const id = randomUUID();
  await database
    .insertInto('users')
    .values({ id, public_id: id.slice(0, 20), email: '', name: 'Ada' })
    .execute();
  return sessions.create(id, 'Test');
}

const isRevoked = (refresh_token: string) =>
  sessions.refresh(refresh_token).then(
    () => false,
    (error: { code?: string }) => error.code === 'refresh_invalid',
  );

test('a token that is signed by our key is refused where its session never existed, or was made for another user', async () => {
  const secrets = createSecrets('a secret for tests, at least 32 characters long');
  const tokens = createAccessTokens({ database, secrets, now: () => now_ms });
  const ada = await signIn();
  const { user_id } = await sessions.authenticate(ada.access_token);
  const sign = (session_id: string, of_user: string) =>
    tokens.issue({ user_id: of_user, session_id, generation: 0, locked: false }, now_ms + MINUTE_MS);
  for (const token of [await sign(randomUUID(), user_id), await sign(ada.session_id, randomUUID())]) {
    // Twice: the first refusal must not cache the token as valid.
    for (let nth = 0; nth < 2; nth += 1) {
      await expect(sessions.authenticate(token)).rejects.toMatchObject({ code: 'unauthenticated' });
      expect(sessions.authenticateCached(token)).toBeUndefined();
    }
  }
  await expect(sessions.authenticate(await sign(ada.session_id, user_id))).resolves.toMatchObject({ user_id });
});

describe('a stolen parent', () => {
  test('ends the family 5 minutes later when the child was only used for requests, and no other family', async () => {
    const victim = await signIn();
    const bystander = await signIn();
    const child = await sessions.refresh(victim.refresh_token);
    now_ms += KEPT_MS;
    await sessions.authenticate(child.access_token);
    now_ms += 5 * MINUTE_MS;
    expect(await isRevoked(victim.refresh_token)).toBe(true);
    await expect(sessions.authenticate(child.access_token)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await isRevoked(child.refresh_token)).toBe(true);
    expect(await isRevoked(bystander.refresh_token)).toBe(false);
  });

  test('ends the family also when the thief was first and used the child', async () => {
    const victim = await signIn();
    const stolen = await sessions.refresh(victim.refresh_token);
    now_ms += KEPT_MS;
    await sessions.authenticate(stolen.access_token);
    now_ms += 9 * MINUTE_MS;
    expect(await isRevoked(victim.refresh_token)).toBe(true);
    await expect(sessions.authenticate(stolen.access_token)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('ends the family when the child was used after it had been given again', async () => {
    const victim = await signIn();
    await sessions.refresh(victim.refresh_token);
    now_ms += 5 * MINUTE_MS;
    const again = await sessions.refresh(victim.refresh_token);
    now_ms += KEPT_MS;
    await sessions.authenticate(again.access_token);
    now_ms += 2 * MINUTE_MS;
    expect(await isRevoked(victim.refresh_token)).toBe(true);
  });

  test('is noticed by every node, whichever of them saw the child used', async () => {
    const victim = await signIn();
    const child = await sessions.refresh(victim.refresh_token);
    now_ms += KEPT_MS;
    await openNode().authenticate(child.access_token);
    now_ms += 5 * MINUTE_MS;
    expect(await isRevoked(victim.refresh_token)).toBe(true);
  });
});

describe('an honest browser', () => {
  test('gets the same child within 60 seconds, also when that is in use already', async () => {
    const { refresh_token } = await signIn();
    const child = await sessions.refresh(refresh_token);
    now_ms += KEPT_MS;
    await sessions.authenticate(child.access_token);
    now_ms += MINUTE_MS - KEPT_MS;
    expect((await sessions.refresh(refresh_token)).refresh_token).toBe(child.refresh_token);
  });

  test('that died before its cookies were on the disk gets the child again, although the new access token was used', async () => {
    const { refresh_token } = await signIn();
    const child = await sessions.refresh(refresh_token);
    now_ms += KEPT_MS - 2_000;
    await sessions.authenticate(child.access_token);
    now_ms += 5 * MINUTE_MS;
    expect((await sessions.refresh(refresh_token)).refresh_token).toBe(child.refresh_token);
  });

  test('gets a lost child again although the old access token is still used', async () => {
    const { access_token, refresh_token } = await signIn();
    const lost = await sessions.refresh(refresh_token);
    now_ms += 5 * MINUTE_MS;
    await sessions.authenticate(access_token);
    expect((await sessions.refresh(refresh_token)).refresh_token).toBe(lost.refresh_token);
  });

  test('has one newest token, however many refresh at once on two nodes, and loses it to none of them', async () => {
    let { refresh_token } = await signIn();
    const nodes = [sessions, openNode()];
    for (let round = 0; round < 10; round += 1) {
      const asked = Array.from({ length: 12 }, (_, index) => nodes[index % 2]?.refresh(refresh_token));
      const tokens = new Set((await Promise.all(asked)).map((reply) => reply?.refresh_token));
      expect(tokens.size).toBe(1);
      [refresh_token = ''] = tokens;
    }
  });

  test('gets lost children of one family again three times a day, over all generations', async () => {
    let { refresh_token } = await signIn();
    for (let generation = 1; generation <= 3; generation += 1) {
      const lost = await sessions.refresh(refresh_token);
      now_ms += 2 * MINUTE_MS;
      expect((await sessions.refresh(refresh_token)).refresh_token).toBe(lost.refresh_token);
      ({ refresh_token } = lost);
    }
    await sessions.refresh(refresh_token);
    now_ms += 2 * MINUTE_MS;
    await expect(sessions.refresh(refresh_token)).rejects.toMatchObject({ code: 'too_many_requests' });
    now_ms += 24 * 60 * MINUTE_MS;
    expect(await isRevoked(refresh_token)).toBe(false);
  });
});

test('the arrival of a child is written once per access token, not per request', async () => {
  const { session_id, refresh_token } = await signIn();
  const { access_token } = await sessions.refresh(refresh_token);
  const readConfirmation = async () => {
    const query = database.selectFrom('refresh_tokens').select('confirmed_at');
    return (await query.where('session_id', '=', session_id).where('generation', '=', 1).executeTakeFirstOrThrow())
      .confirmed_at;
  };
  await sessions.authenticate(access_token);
  expect(await readConfirmation()).toBeNull();
  now_ms += KEPT_MS;
  await Promise.all(Array.from({ length: 20 }, () => sessions.authenticate(access_token)));
  expect(await readConfirmation()).toEqual(new Date(now_ms));
  const forget = database.updateTable('refresh_tokens').set({ confirmed_at: null });
  await forget.where('session_id', '=', session_id).execute();
  await sessions.authenticate(access_token);
  expect(await readConfirmation()).toBeNull();
});
