import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase } from '#test/database/database.ts';
import { countWaiting } from '#test/database/lock-waits.ts';
import { DELETED_USER_ID } from '../database/deleted-user.ts';
import { createSecrets } from '../database/secrets.ts';
import { removeErasedSessions } from './end-sessions.ts';
import { createSessions, type Sessions } from './sessions.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 10, 21, 12);

let now_ms = START_MS;
let own: Awaited<ReturnType<typeof openTestDatabase>>;
let sessions: Sessions;
beforeAll(async () => {
  own = await openTestDatabase();
  sessions = openNode();
});
afterAll(() => own.close());
beforeEach(() => {
  now_ms = START_MS;
});

function openNode(): Sessions {
  const secrets = createSecrets('a secret for tests, at least 32 characters long');
  return createSessions({ database: own.database, secrets, now: () => now_ms });
}

async function createUser(): Promise<string> {
  const id = randomUUID();
  const user = { id, public_id: id.slice(0, 20), email: '', name: 'Ada' };
  await own.database.insertInto('users').values(user).execute();
  return id;
}

async function setLocked(user_id: string, locked: boolean) {
  await own.database.updateTable('users').set({ is_active: !locked }).where('id', '=', user_id).execute();
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: { code?: string }) => error.code,
  );

describe('ending a session', () => {
  test('of another user, an unknown one or an ended one returns false and ends nothing', async () => {
    const [ada, eve] = [await createUser(), await createUser()];
    const session = await sessions.create(ada, 'Phone');
    expect(await sessions.endOwned(eve, session.session_id, 'ended_by_user')).toBe(false);
    expect(await sessions.endOwned(ada, randomUUID(), 'ended_by_user')).toBe(false);
    expect(await codeOf(sessions.authenticate(session.access_token))).toBe('accepted');
    expect(await codeOf(sessions.refresh(session.refresh_token))).toBe('accepted');
    expect(await sessions.endOwned(ada, session.session_id, 'ended_by_user')).toBe(true);
    expect(await sessions.endOwned(ada, session.session_id, 'ended_by_user')).toBe(false);
  });

  test('ends that one at once, for access and refresh tokens, and no other of the user', async () => {
    const ada = await createUser();
    const [phone, laptop] = [await sessions.create(ada, 'Phone'), await sessions.create(ada, 'Laptop')];
    await sessions.endOwned(ada, phone.session_id, 'ended_by_user');
    expect(await codeOf(sessions.authenticate(phone.access_token))).toBe('unauthenticated');
    expect(await codeOf(sessions.refresh(phone.refresh_token))).toBe('refresh_invalid');
    expect(await codeOf(sessions.authenticate(laptop.access_token))).toBe('accepted');
    expect(await codeOf(sessions.refresh(laptop.refresh_token))).toBe('accepted');
  });

  test('everywhere ends all of the user’s, also rotated ones, and no other user’s', async () => {
    const [ada, bea] = [await createUser(), await createUser()];
    const [phone, laptop] = [await sessions.create(ada, 'Phone'), await sessions.create(ada, 'Laptop')];
    const bystander = await sessions.create(bea, 'Phone');
    const child = await sessions.refresh(laptop.refresh_token);
    await sessions.endAll(ada, 'everywhere');
    for (const token of [phone.access_token, laptop.access_token, child.access_token]) {
      expect(await codeOf(sessions.authenticate(token))).toBe('unauthenticated');
    }
    for (const token of [phone.refresh_token, laptop.refresh_token, child.refresh_token]) {
      expect(await codeOf(sessions.refresh(token))).toBe('refresh_invalid');
    }
    expect(await sessions.list(ada)).toEqual([]);
    expect(await codeOf(sessions.authenticate(bystander.access_token))).toBe('accepted');
    const { end_reason } = await own.database
      .selectFrom('sessions')
      .select('end_reason')
      .where('id', '=', phone.session_id)
      .executeTakeFirstOrThrow();
    expect(end_reason).toBe('everywhere');
  });
});

test('a refresh at the moment of the end never outlives it', async () => {
  const ada = await createUser();
  for (let round = 0; round < 20; round += 1) {
    const { refresh_token } = await sessions.create(ada, 'Phone');
    const [child] = await Promise.all([
      sessions.refresh(refresh_token).catch(() => undefined),
      sessions.endAll(ada, 'everywhere'),
    ]);
    if (!child) continue;
    expect(await codeOf(sessions.refresh(child.refresh_token))).toBe('refresh_invalid');
    expect(await codeOf(sessions.authenticate(child.access_token))).toBe('unauthenticated');
  }
});

describe('the list of sessions', () => {
  test('leaves out those of others, ended and expired ones, and has the last used first', async () => {
    const [ada, bea] = [await createUser(), await createUser()];
    await sessions.create(bea, 'Not mine');
    await sessions.create(ada, 'Expired');
    now_ms += 30 * DAY_MS;
    const ended = await sessions.create(ada, 'Ended');
    await sessions.end(ended.session_id, 'logout');
    const phone = await sessions.create(ada, 'Phone');
    now_ms += 1_000;
    await sessions.create(ada, 'Laptop');
    expect((await sessions.list(ada)).map(({ device_name }) => device_name)).toEqual(['Laptop', 'Phone']);
    now_ms += 1_000;
    await sessions.refresh(phone.refresh_token);
    expect((await sessions.list(ada))[0]).toEqual({
      id: phone.session_id,
      device_name: 'Phone',
      created_at: new Date(START_MS + 30 * DAY_MS),
      last_used_at: new Date(now_ms),
    });
  });
});

describe('a locked account', () => {
  test('gets locked sessions, whose tokens stay locked until they are refreshed', async () => {
    const ada = await createUser();
    await setLocked(ada, true);
    const session = await sessions.create(ada, 'Phone');
    expect((await sessions.authenticate(session.access_token)).locked).toBe(true);
    const child = await sessions.refresh(session.refresh_token);
    expect((await sessions.authenticate(child.access_token)).locked).toBe(true);
    await setLocked(ada, false);
    expect((await sessions.authenticate(child.access_token)).locked).toBe(true);
    expect((await openNode().authenticate(child.access_token)).locked).toBe(true);
    const free = await sessions.refresh(child.refresh_token);
    expect((await sessions.authenticate(free.access_token)).locked).toBe(false);
  });

  test('is seen by the next refresh of a session that began before, repeated ones included', async () => {
    const ada = await createUser();
    const { access_token, refresh_token } = await sessions.create(ada, 'Phone');
    expect((await sessions.authenticate(access_token)).locked).toBe(false);
    await sessions.refresh(refresh_token);
    await setLocked(ada, true);
    const again = await sessions.refresh(refresh_token);
    expect((await sessions.authenticate(again.access_token)).locked).toBe(true);
  });

  test('may still be signed out by its refresh token', async () => {
    const ada = await createUser();
    await setLocked(ada, true);
    const { session_id, refresh_token } = await sessions.create(ada, 'Phone');
    expect(await sessions.findByRefreshToken(refresh_token)).toEqual({ user_id: ada, session_id });
    await sessions.end(session_id, 'logout');
    expect(await codeOf(sessions.refresh(refresh_token))).toBe('refresh_invalid');
  });

  test('cannot avoid the end of all sessions: a sign-in at that moment is locked or ended', async () => {
    const ada = await createUser();
    const together: ReturnType<Sessions['create']>[] = [];
    await own.database.transaction().execute(async (trx) => {
      await trx.updateTable('users').set({ is_active: false }).where('id', '=', ada).execute();
      while (together.length < 4) together.push(sessions.create(ada, 'Phone'));
      await expect.poll(() => countWaiting(own.database)).toBe(4);
    });
    await sessions.endAll(ada, 'account_locked');
    for (const { access_token } of await Promise.all(together)) {
      const passed = await sessions.authenticate(access_token).catch(() => undefined);
      expect(passed?.locked ?? true).toBe(true);
    }
  });
});

test('a user who does not exist gets no session', async () => {
  expect(await codeOf(sessions.create(randomUUID(), 'Phone'))).toBe('unauthenticated');
});

test('the ended sessions of erased users stay until every node must have read of them', async () => {
  const ada = await createUser();
  const { session_id, access_token, refresh_token } = await sessions.create(ada, 'Phone');
  await sessions.endAll(ada, 'erased');
  await own.database.updateTable('sessions').set({ user_id: DELETED_USER_ID }).where('user_id', '=', ada).execute();
  await own.database.deleteFrom('users').where('id', '=', ada).execute();
  expect(await codeOf(openNode().authenticate(access_token))).toBe('unauthenticated');
  expect(await codeOf(sessions.refresh(refresh_token))).toBe('refresh_invalid');

  const count = async () => {
    const rows = await own.database.selectFrom('sessions').select('id').where('id', '=', session_id).execute();
    return rows.length;
  };
  await removeErasedSessions(own.database, new Date());
  expect(await count()).toBe(1);
  await removeErasedSessions(own.database, new Date(Date.now() + 30 * 60_000));
  expect(await count()).toBe(0);
});

test('sessions whose time was over a week ago are cleared away by sign-ins, younger ones are not', async () => {
  const ada = await createUser();
  const old = await sessions.create(ada, 'Old');
  const has = (id: string) => own.database.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst();
  now_ms += 37 * DAY_MS;
  await sessions.create(ada, 'Now');
  expect(await has(old.session_id)).toBeDefined();
  now_ms += 1;
  // The sweep removes a few at a time, so that no sign-in has to wait for many.
  for (let count = 0; count < 5; count += 1) await sessions.create(ada, 'Now');
  expect(await has(old.session_id)).toBeUndefined();
  const tokens = own.database.selectFrom('refresh_tokens').select('generation');
  expect(await tokens.where('session_id', '=', old.session_id).execute()).toEqual([]);
});
