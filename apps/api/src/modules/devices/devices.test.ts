import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { signInAgain } from '#test/scenes/filled-person.ts';

type Caller = Pick<SignedIn, 'headers'>;

let api: TestApp;
let center = '';
let now_ms = Date.now();
beforeAll(async () => {
  const seed = async (database: TestApp['database']) => {
    center = await makeCenter(database);
  };
  api = await buildTestApp({ seed, now: () => new Date(now_ms) });
});
afterAll(() => api.close());

async function send(who: Caller, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  const reply = await api.app.inject({ method, url, headers: who.headers, ...(payload ? { payload } : {}) });
  return { status: reply.statusCode, ...reply.json() };
}

const register = (who: Caller, installation_id: string = randomUUID(), name = 'Phone') =>
  send(who, 'POST', '/v1/devices', { installation_id, name });

async function list(who: Caller): Promise<string[]> {
  const { data } = await send(who, 'GET', '/v1/devices');
  return data.items.map((device: { key_id: string }) => device.key_id);
}

/** Fills all five device slots, one a minute. */
async function registerFive(who: Caller): Promise<{ installation_id: string; key_id: string }[]> {
  const devices = [];
  for (let number = 0; number < 5; number += 1) {
    now_ms += 60_000;
    const installation_id = randomUUID();
    const { data } = await register(who, installation_id);
    devices.push({ installation_id, key_id: data.key_id as string });
  }
  return devices;
}

async function start(who: Caller): Promise<{ client_id: string; started_at_ms: number }> {
  const client_id = randomUUID();
  const started_at_ms = now_ms - 1_800_000;
  const step = { client_id, op_id: randomUUID(), started_at: new Date(started_at_ms).toISOString() };
  const training = { sport_center_id: center, sport_type: 'climbing' };
  const { status } = await send(who, 'POST', '/v1/activities', { ...step, ...training });
  expect(status).toBe(201);
  return { client_id, started_at_ms };
}

const finish = (who: Caller, client_id: string, ended_at_ms: number) =>
  send(who, 'POST', `/v1/activities/${client_id}/finish`, {
    op_id: randomUUID(),
    ended_at: new Date(ended_at_ms).toISOString(),
  });

describe('a sixth installation', () => {
  test('is refused while an activity runs, also when all come at once', async () => {
    const ada = await api.signIn('Ada');
    const before = await registerFive(ada);
    await start(ada);
    const replies = await Promise.all(Array.from({ length: 6 }, () => register(ada)));
    expect(replies.map((reply) => [reply.status, reply.code])).toEqual(
      replies.map(() => [409, 'device_limit_reached']),
    );
    expect((await list(ada)).sort()).toEqual(before.map(({ key_id }) => key_id).sort());
  });

  test('is refused for 12 hours after an undecided activity, then allowed', async () => {
    const ada = await api.signIn('Ada');
    await registerFive(ada);
    const { client_id, started_at_ms } = await start(ada);
    expect((await finish(ada, client_id, started_at_ms + 1_200_000)).status).toBe(200);
    expect((await register(ada)).code).toBe('device_limit_reached');
    now_ms = started_at_ms + 1_200_000 + 12 * 3_600_000;
    const later = await signInAgain(api, ada.user.id, 'Phone', () => now_ms);
    expect((await register(later)).status).toBe(201);
  });

  test('replaces the one that was unused for longest', async () => {
    const ada = await api.signIn('Ada');
    const [first, second, ...others] = await registerFive(ada);
    now_ms += 60_000;
    await register(ada, first?.installation_id);
    now_ms += 60_000;
    const { data } = await register(ada);
    const kept = [data.key_id, first?.key_id, ...others.map(({ key_id }) => key_id).reverse()];
    expect(await list(ada)).toEqual(kept);
    expect(kept).not.toContain(second?.key_id);
  });

  test('never makes more than five, also when twelve come at once', async () => {
    const ada = await api.signIn('Ada');
    const replies = await Promise.all(Array.from({ length: 12 }, () => register(ada)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
    expect(await list(ada)).toHaveLength(5);
  });
});

describe('a key', () => {
  test('is given again to the same installation only', async () => {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    const installation_id = randomUUID();
    const first = await register(ada, installation_id);
    expect((await register(ada, installation_id, 'Renamed')).data).toEqual(first.data);
    expect((await register(bea, installation_id)).data.key).not.toBe(first.data.key);
    expect(Buffer.from(first.data.key, 'base64url')).toHaveLength(32);
  });

  test('is one, when an installation asks several times at once', async () => {
    const ada = await api.signIn('Ada');
    const installation_id = randomUUID();
    const replies = await Promise.all(Array.from({ length: 8 }, () => register(ada, installation_id)));
    expect(new Set(replies.map(({ data }) => data.key)).size).toBe(1);
  });

  test('is never stored in plain text, and is in no list', async () => {
    const ada = await api.signIn('Ada');
    const { data } = await register(ada);
    const rows = await api.database
      .selectFrom('devices')
      .select('key_encrypted')
      .where('id', '=', data.key_id)
      .execute();
    expect(rows[0]?.key_encrypted.includes(Buffer.from(data.key, 'base64url'))).toBe(false);
    const { data: shown } = await send(ada, 'GET', '/v1/devices');
    expect(Object.keys(shown.items[0]).sort()).toEqual(['created_at', 'key_id', 'last_used_at', 'name']);
  });
});

describe('giving a key up', () => {
  test('is refused for a key that is not the caller’s', async () => {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    const { data } = await register(ada);
    for (const key_id of [data.key_id, randomUUID()]) {
      const refused = await send(bea, 'DELETE', `/v1/devices/${key_id}`);
      expect(refused).toMatchObject({ status: 404, code: 'device_not_found' });
    }
    expect((await send(ada, 'DELETE', '/v1/devices/x')).code).toBe('validation_failed');
    expect(await list(ada)).toEqual([data.key_id]);
  });

  test('takes it off the list, again is harmless, and the installation gets a new one', async () => {
    const ada = await api.signIn('Ada');
    const installation_id = randomUUID();
    const { data } = await register(ada, installation_id);
    for (const _ of [1, 2]) {
      const given_up = await send(ada, 'DELETE', `/v1/devices/${data.key_id}`);
      expect(given_up).toMatchObject({ status: 200, data: { key_id: data.key_id } });
    }
    expect(await list(ada)).toEqual([]);
    const again = await register(ada, installation_id);
    expect(again.data.key_id).not.toBe(data.key_id);
    expect(again.data.key).not.toBe(data.key);
  });

  test('comes with the end of the session that registered it, and of no other session', async () => {
    const ada = await api.signIn('Ada');
    const tablet = await signInAgain(api, ada.user.id, 'Tablet', () => now_ms);
    const [phone_key, tablet_key] = [await register(ada), await register(tablet)];
    expect((await list(ada)).sort()).toEqual([phone_key.data.key_id, tablet_key.data.key_id].sort());
    expect((await send(ada, 'DELETE', `/v1/users/sessions/${tablet.session_id}`)).status).toBe(200);
    expect(await list(ada)).toEqual([phone_key.data.key_id]);
  });

  test('comes with the last session that requested the key', async () => {
    const ada = await api.signIn('Ada');
    const later = await signInAgain(api, ada.user.id, 'The same phone', () => now_ms);
    const installation_id = randomUUID();
    const { data } = await register(ada, installation_id);
    await register(later, installation_id);
    await send(later, 'DELETE', `/v1/users/sessions/${ada.session_id}`);
    expect(await list(later)).toEqual([data.key_id]);
  });

  test('leaves no key of a session that ends at the same moment', async () => {
    const ada = await api.signIn('Ada');
    for (let round = 0; round < 10; round += 1) {
      const tablet = await signInAgain(api, ada.user.id, 'Tablet', () => now_ms);
      await Promise.all([register(tablet), send(ada, 'DELETE', `/v1/users/sessions/${tablet.session_id}`)]);
      expect(await list(ada)).toEqual([]);
    }
  });

  test('comes at the end of an expired session, once it is removed', async () => {
    const ada = await api.signIn('Ada');
    const { data } = await register(ada);
    const month_later = now_ms + 38 * 86_400_000;
    // Each sign-in clears only a few expired sessions, and those of the other tests are as old.
    for (let round = 0; round < 10; round += 1) await signInAgain(api, ada.user.id, 'New phone', () => month_later);
    const row = await api.database
      .selectFrom('devices')
      .select(['revoked_at', 'session_id'])
      .where('id', '=', data.key_id)
      .executeTakeFirstOrThrow();
    expect(row.session_id).toBe(ada.session_id);
    expect(row.revoked_at?.getTime()).toBeLessThan(month_later - 7 * 86_400_000);
  });
});
