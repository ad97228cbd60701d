import { randomUUID } from 'node:crypto';
import { isoWeekAt, localDate } from '@sendlap/domain/dates.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { inviteKiosk, inviteReferee, revokeKiosks } from '#test/scenes/invites.ts';
import { pairKiosk, tryToPair } from '#test/scenes/kiosk.ts';

const DAY_MS = 86_400_000;
const KEYS = '/v1/kiosks/me/keys';
const BOARD = '/v1/kiosks/me/board';

let api: TestApp;
let center = '';
let other_center = '';
let ahead_ms = 0;
beforeAll(async () => {
  const seed = async (database: TestApp['database']) => {
    center = await makeCenter(database);
    other_center = await makeCenter(database, ['swimming']);
  };
  api = await buildTestApp({ seed, now: () => new Date(Date.now() + ahead_ms) });
});
afterAll(() => api.close());

async function get(url: string, headers: Record<string, string> = {}) {
  const reply = await api.app.inject({ url, headers });
  return { status: reply.statusCode, ...reply.json() };
}

const keysOf = (reply: { data: { keys: { key: string }[] } }) => reply.data.keys.map(({ key }) => key);

const countKiosks = async (sport_center_id: string) =>
  (await api.database.selectFrom('kiosks').select('id').where('sport_center_id', '=', sport_center_id).execute())
    .length;

describe('pairing is refused', () => {
  test('as mistyped if no kiosk was invited by the code, else as used or expired', async () => {
    const used = await inviteKiosk(api.database, center);
    expect((await tryToPair(api, used)).status).toBe(201);
    const closing = await makeCenter(api.database);
    const closed = await inviteKiosk(api.database, closing);
    await api.database.updateTable('sport_centers').set({ closed_at: new Date() }).where('id', '=', closing).execute();
    const revoked = await inviteKiosk(api.database, other_center);
    await revokeKiosks(api.database, other_center);
    const of_referee = await inviteReferee(api.database, center);
    const refusalOf = async (code: string) => {
      const reply = await tryToPair(api, code);
      expect(reply.status).toBe(422);
      return reply.code;
    };
    for (const code of ['never-made-it', revoked, of_referee]) expect(await refusalOf(code)).toBe('invite_unknown');
    for (const code of [used, closed]) expect(await refusalOf(code)).toBe('invite_invalid');
  });

  test('24 hours after the code was made', async () => {
    const code = await inviteKiosk(api.database, center);
    ahead_ms = DAY_MS;
    expect((await tryToPair(api, code)).code).toBe('invite_invalid');
    ahead_ms = 0;
    expect((await tryToPair(api, code)).status).toBe(201);
  });

  test('after ten tries from one address in an hour', async () => {
    const pair = (code: string) =>
      api.app.inject({ method: 'POST', url: '/v1/kiosks/pair', payload: { code }, remoteAddress: '192.0.2.7' });
    for (let tries = 0; tries < 10; tries += 1) expect((await pair(`guess-${tries}-xxxx`)).statusCode).toBe(422);
    expect((await pair(await inviteKiosk(api.database, center))).statusCode).toBe(429);
  });

  test('to all but one tablet, when several try a code at once', async () => {
    const own_center = await makeCenter(api.database);
    const code = await inviteKiosk(api.database, own_center);
    const replies = await Promise.all(Array.from({ length: 8 }, () => tryToPair(api, code)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 422)]);
    expect(await countKiosks(own_center)).toBe(1);
  });

  test('to another tablet than the one that asks again', async () => {
    const code = await inviteKiosk(api.database, center);
    const mine = { 'idempotency-key': randomUUID() };
    const first = await tryToPair(api, code, mine);
    expect((await tryToPair(api, code, { 'idempotency-key': randomUUID() })).code).toBe('invite_invalid');
    expect((await tryToPair(api, code)).code).toBe('invite_invalid');
    expect((await tryToPair(api, code, { 'idempotency-key': 'mine' })).code).toBe('validation_failed');
    const again = await tryToPair(api, code, mine);
    expect(again).toMatchObject({ status: 201, data: { token: first.data.token } });
    expect(keysOf(again)).toEqual(keysOf(first));
  });
});

test('a tablet that asks several times at once is paired once', async () => {
  const own_center = await makeCenter(api.database);
  const code = await inviteKiosk(api.database, own_center);
  const mine = { 'idempotency-key': randomUUID() };
  const replies = await Promise.all(Array.from({ length: 6 }, () => tryToPair(api, code, mine)));
  expect(new Set(replies.map(({ data }) => JSON.stringify([data.token, data.keys]))).size).toBe(1);
  expect(await countKiosks(own_center)).toBe(1);
});

describe('the token of a kiosk', () => {
  test('is needed for its calls, and no other will do', async () => {
    const ada = await api.signIn('Ada');
    const tokens = [undefined, 'Bearer x', `Bearer kiosk_${'A'.repeat(43)}`, ada.headers.authorization];
    for (const authorization of tokens) {
      for (const url of [KEYS, BOARD]) {
        const refused = await get(url, authorization === undefined ? {} : { authorization });
        expect(refused, `${authorization} ${url}`).toMatchObject({ status: 401, code: 'kiosk_unknown' });
      }
    }
  });

  test('admits to no other call', async () => {
    const { headers } = await pairKiosk(api, center);
    for (const url of ['/v1/activities', '/v1/referees/me', '/v1/leaderboards', '/v1/devices', '/v1/users/sessions']) {
      expect(await get(url, headers)).toMatchObject({ status: 401, code: 'unauthenticated' });
    }
  });

  test('is refused as soon as the operator revokes it', async () => {
    const { headers } = await pairKiosk(api, other_center);
    expect((await get(KEYS, headers)).status).toBe(200);
    expect((await revokeKiosks(api.database, other_center)).code).toBe(0);
    expect(await get(KEYS, headers)).toMatchObject({ status: 401, code: 'kiosk_unknown' });
    expect((await revokeKiosks(api.database, other_center)).code).toBe(1);
  });

  test('shows the manager within minutes that the tablet is in use, without a write for each request', async () => {
    const own_center = await makeCenter(api.database);
    const { headers } = await pairKiosk(api, own_center);
    const use = api.database.selectFrom('kiosks').select('last_used_at').where('sport_center_id', '=', own_center);
    const readUse = async () => (await use.executeTakeFirstOrThrow()).last_used_at.getTime();
    const paired_at = await readUse();
    ahead_ms = 60_000;
    expect((await get(BOARD, headers)).status).toBe(200);
    expect(await readUse()).toBe(paired_at);
    ahead_ms = 6 * 60_000;
    expect((await get(BOARD, headers)).status).toBe(200);
    expect(await readUse()).toBeGreaterThan(paired_at);
    ahead_ms = 0;
  });

  test('is never stored in plain text, and neither are the code and the keys', async () => {
    const code = await inviteKiosk(api.database, center);
    const { data } = await tryToPair(api, code);
    const tables = await Promise.all(
      (['invites', 'kiosks', 'kiosk_keys'] as const).map((table) =>
        api.database.selectFrom(table).selectAll().execute(),
      ),
    );
    const bytes = tables.flat().flatMap((row) => Object.values(row));
    const secrets = [data.token, code, ...keysOf({ data })].flatMap((text: string) => [
      Buffer.from(text),
      Buffer.from(text.replace('kiosk_', ''), 'base64url'),
    ]);
    for (const value of bytes) {
      const stored = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value) ?? '');
      expect(secrets.some((secret) => stored.includes(secret))).toBe(false);
    }
  });
});

describe('the keys of a kiosk', () => {
  test('are of today and the next seven days of the center, without a gap', async () => {
    const { headers, keys, center: own_center } = await pairKiosk(api, center);
    expect(own_center).toMatchObject({ id: center, city: 'Bilbao', time_zone: 'Europe/Madrid' });
    expect(own_center.sports).toEqual(['climbing', 'swimming']);
    expect(keys).toHaveLength(8);
    const now = Date.now();
    expect(Date.parse(keys[0]?.valid_from ?? '')).toBeLessThanOrEqual(now);
    expect(Date.parse(keys[0]?.valid_until ?? '')).toBeGreaterThan(now);
    for (const [number, key] of keys.entries()) {
      expect(Buffer.from(key.key, 'base64url')).toHaveLength(32);
      const hour = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Madrid', timeStyle: 'medium', hour12: false });
      expect(hour.format(new Date(key.valid_from))).toMatch(/^(00|24):00:00$/);
      if (number > 0) expect(key.valid_from).toBe(keys[number - 1]?.valid_until);
    }
    expect((await get(KEYS, headers)).data.keys).toEqual(keys);
  });

  test('follow the days, and earlier ones stay the same', async () => {
    const { headers, keys } = await pairKiosk(api, center);
    // The middle of a center's day: three times 24 hours are not three days at a change of the clocks.
    const { valid_from = '', valid_until = '' } = keys[3] ?? {};
    ahead_ms = (Date.parse(valid_from) + Date.parse(valid_until)) / 2 - Date.now();
    const later = await get(KEYS, headers);
    ahead_ms = 0;
    expect(later.data.keys).toHaveLength(8);
    expect(later.data.keys.slice(0, 5)).toEqual(keys.slice(3));
    expect([valid_from < later.data.now, later.data.now < valid_until]).toEqual([true, true]);
  });

  test('are the same ones for all who ask at once, and of one kiosk only', async () => {
    const [one, two] = [await pairKiosk(api, center), await pairKiosk(api, center)];
    ahead_ms = 6 * DAY_MS;
    const replies = await Promise.all(Array.from({ length: 6 }, () => get(KEYS, one.headers)));
    ahead_ms = 0;
    expect(new Set(replies.map(({ data }) => JSON.stringify(data.keys))).size).toBe(1);
    const shared = two.keys.filter(({ key }) => keysOf(replies[0] as never).includes(key));
    expect(shared).toEqual([]);
  });

  test('cover a day of 25 hours and a day without a midnight', async () => {
    const own_center = await makeCenter(api.database);
    // In Cairo, midnight of the first day of summer time does not exist.
    await api.database
      .updateTable('sport_centers')
      .set({ time_zone: 'Africa/Cairo' })
      .where('id', '=', own_center)
      .execute();
    const at_ms = Date.parse('2027-04-28T12:00:00Z');
    const node = await buildTestApp({ database_url: api.database_url, now: () => new Date(at_ms) });
    const code = await inviteKiosk(api.database, own_center);
    await api.database
      .updateTable('invites')
      .set({ expires_at: new Date(at_ms + DAY_MS) })
      .execute();
    const { data } = await tryToPair(node, code);
    await node.close();
    const starts = data.keys.map((key: { valid_from: string }) => key.valid_from);
    expect(starts.slice(0, 4)).toEqual([
      '2027-04-27T22:00:00.000Z',
      '2027-04-28T22:00:00.000Z',
      '2027-04-29T22:00:00.000Z',
      '2027-04-30T21:00:00.000Z',
    ]);
  });
});

describe('the board of a kiosk', () => {
  // Ties are ordered by time: no two scores in the same millisecond.
  let reached_ms = Date.now();
  async function score(who: SignedIn, points: number, sport_center_id = center) {
    const period = isoWeekAt(Date.now(), 'Europe/Madrid');
    const board = { user_id: who.user.id, period, sport: 'all' as const, sport_center_id };
    reached_ms += 1;
    const [reached_at, friends_reached_at] = [new Date(reached_ms), new Date(reached_ms)];
    await api.database
      .insertInto('board_scores')
      .values({ ...board, points, reached_at, friends_points: points, friends_reached_at })
      .execute();
  }

  test('shows the names and points of this week at this center, and nothing private', async () => {
    const people = await Promise.all(['Ada', 'Bea', 'Cleo', 'Dan', 'Eve'].map((name) => api.signIn(name)));
    const [ada, bea, cleo, dan, eve] = people as [SignedIn, SignedIn, SignedIn, SignedIn, SignedIn];
    await score(ada, 120);
    await score(bea, 300);
    await score(cleo, 300);
    await score(dan, 500);
    await score(eve, 900);
    await score(ada, 700, other_center);
    // Without a name, locked, and under 16.
    await api.database.updateTable('users').set({ display_name: null }).where('id', '=', cleo.user.id).execute();
    await api.database.updateTable('users').set({ is_active: false }).where('id', '=', dan.user.id).execute();
    const bio = { id: randomUUID(), user_id: eve.user.id, age: 15, weight_kg: 50, height_cm: 160, male: null };
    await api.database.insertInto('bio_info').values(bio).execute();
    const { data } = await get(BOARD, (await pairKiosk(api, center)).headers);
    expect(data.total).toBe(3);
    expect(data.items).toEqual([
      { rank: 1, name: 'Bea', points: 300 },
      { rank: 1, name: null, points: 300 },
      { rank: 3, name: 'Ada', points: 120 },
    ]);
    expect(data.key).toMatch(/^20\d\d-W\d\d$/);
    // The center's day: at its midnight on Monday it is still Sunday in UTC.
    const today = localDate(Date.parse(data.now), 'Europe/Madrid');
    expect([data.starts_on <= today, data.ends_on >= today]).toEqual([true, true]);
  });

  test('ranks its own center, and is empty without scores', async () => {
    const { data } = await get(BOARD, (await pairKiosk(api, other_center)).headers);
    expect(data).toMatchObject({ items: [{ name: 'Ada', points: 700 }], total: 1 });
    const own_center = await makeCenter(api.database);
    const { headers } = await pairKiosk(api, own_center);
    expect((await get(BOARD, headers)).data).toMatchObject({ items: [], total: 0 });
  });
});

test('a center has a kiosk while one is paired and was seen in the days that its keys last', async () => {
  const own_center = await makeCenter(api.database);
  const node = await buildTestApp({
    database_url: api.database_url,
    now: () => new Date(Date.now() + ahead_ms),
  });
  const hasKiosk = async () =>
    (await node.app.inject({ url: `/v1/sport-centers/${own_center}/proofs` })).json().data.has_kiosk;
  expect(await hasKiosk()).toBe(false);
  const { headers } = await pairKiosk(node, own_center);
  expect(await hasKiosk()).toBe(true);
  ahead_ms = 9 * DAY_MS;
  expect(await hasKiosk()).toBe(false);
  await node.app.inject({ url: KEYS, headers });
  expect(await hasKiosk()).toBe(true);
  ahead_ms = 0;
  await revokeKiosks(api.database, own_center);
  expect(await hasKiosk()).toBe(false);
  await node.close();
});
