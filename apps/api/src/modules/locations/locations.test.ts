import { randomUUID } from 'node:crypto';
import {
  getUserLocation,
  listPresentUsers,
  saveUserLocation,
  UserLocation,
  updateUserLocation,
} from '@sendlap/contract/locations.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { send, signInAgain } from '#test/scenes/filled-person.ts';

const MINUTE_MS = 60_000;
const DEGREES_A_METRE = 180 / (Math.PI * 6_371_000);
/** Position of `gym`. */
const HERE = { latitude: 43.26, longitude: -2.93 };
const AWAY = { latitude: 40.4, longitude: -3.7 };
const north = (metres: number) => ({ ...HERE, latitude: HERE.latitude + metres * DEGREES_A_METRE });

let clock_ms = 0;
const now = () => new Date(Date.now() + clock_ms);
const ago = (minutes: number) => new Date(now().getTime() - minutes * MINUTE_MS).toISOString();

let api: TestApp;
let gym = '';
/** 200 m north of the gym. */
let pool = '';
/** Closed; at the position of the gym. */
let closed = '';
beforeAll(async () => {
  api = await buildTestApp({
    now,
    seed: async (database) => {
      gym = await makeCenter(database);
      pool = await makeCenter(database);
      closed = await makeCenter(database);
      const update = database.updateTable('sport_centers');
      await update
        .set({ latitude: north(200).latitude })
        .where('id', '=', pool)
        .execute();
      await update.set({ closed_at: new Date() }).where('id', '=', closed).execute();
    },
  });
});
afterAll(() => api.close());
beforeEach(() => {
  clock_ms = 0;
});

type Who = Pick<SignedIn, 'headers'>;
const post = (who: Who, body: object) => send(api, who, 'POST', saveUserLocation.path, body);
const patch = (who: Who, body: object) => send(api, who, 'PATCH', updateUserLocation.path, body);
const current = async (who: Who) => (await send(api, who, 'GET', getUserLocation.path)).data;
const rowsOf = ({ user }: SignedIn) =>
  api.database.selectFrom('user_locations').selectAll().where('user_id', '=', user.id).execute();

const LAST_TWO_HOURS = 'must be of the last two hours';

describe('refusals', () => {
  test.each([saveUserLocation, updateUserLocation, listPresentUsers, getUserLocation])(
    'no caller without a token: $method $path',
    async ({ method, path }) => {
      const body = path === listPresentUsers.path ? { sport_center_ids: [gym] } : HERE;
      const payload = method === 'GET' ? {} : { payload: body };
      const reply = await api.app.inject({ method, url: path, ...payload });
      expect([reply.statusCode, reply.json().code]).toEqual([401, 'unauthenticated']);
    },
  );

  test.each([
    {},
    { latitude: 43 },
    { ...HERE, latitude: 90.0001 },
    { ...HERE, longitude: -180.0001 },
    { ...HERE, latitude: '43' },
    { ...HERE, accuracy: -1 },
    { ...HERE, accuracy: 100_001 },
    { ...HERE, timestamp: 'yesterday' },
    { ...HERE, timestamp: 1_700_000_000_000 },
    { ...HERE, sport_center_id: 'gym' },
    { ...HERE, user_id: randomUUID() },
  ])('%j is no location, and nothing is stored', async (body) => {
    const ada = await api.signIn('Ada');
    expect(await post(ada, body)).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(await rowsOf(ada)).toEqual([]);
  });

  test.each([
    ['two hours old', 120, LAST_TWO_HOURS],
    ['of last year', 400 * 24 * 60, LAST_TWO_HOURS],
    ['six minutes ahead', -6, LAST_TWO_HOURS],
    ['50 years ahead', -50 * 365 * 24 * 60, LAST_TWO_HOURS],
    ['of the year 9999', -4e9, 'must be of the years 2000 to 2100'],
  ])('a moment that is %s is refused and changes nothing', async (_what, minutes, message) => {
    const ada = await api.signIn('Ada');
    await post(ada, HERE);
    const before = await rowsOf(ada);
    const timestamp = ago(minutes);
    for (const write of [post, patch]) {
      expect(await write(ada, { ...AWAY, timestamp })).toMatchObject({
        status: 400,
        code: 'validation_failed',
        details: [{ path: 'body/timestamp', message }],
      });
    }
    expect(await rowsOf(ada)).toEqual(before);
  });

  test('a missing location, or one two hours old, cannot be changed in part', async () => {
    const ada = await api.signIn('Ada');
    expect(await patch(ada, AWAY)).toMatchObject({ status: 404, code: 'location_unknown' });
    await post(ada, HERE);
    clock_ms = 120 * MINUTE_MS;
    const later = await signInAgain(api, ada.user.id, 'Phone', () => now().getTime());
    expect(await patch(later, { accuracy: 5 })).toMatchObject({ status: 404, code: 'location_unknown' });
    expect(await patch(later, AWAY)).toMatchObject({ status: 404, code: 'location_unknown' });
  });

  test('a longitude without a latitude is refused', async () => {
    const ada = await api.signIn('Ada');
    await post(ada, HERE);
    expect(await patch(ada, { longitude: 1 })).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(await current(ada)).toMatchObject(HERE);
  });
});

describe('POST', () => {
  test('keeps an athlete’s location, with all its fields [spec 7.location.post, 3.location.fields]', async () => {
    const ada = await api.signIn('Ada');
    const timestamp = ago(3);
    const { status, data } = await post(ada, { ...HERE, accuracy: 12.5, timestamp, sport_center_id: gym });
    expect([status, data]).toEqual([200, { ...HERE, accuracy: 12.5, timestamp, sport_center_id: gym }]);
    expect(UserLocation.parse(data)).toEqual(data);
    expect(await current(ada)).toEqual(data);
  });

  test('defaults to the moment of the call and the nearest center', async () => {
    const ada = await api.signIn('Ada');
    const before = Date.now();
    const { data } = await post(ada, north(60));
    expect(data).toMatchObject({ accuracy: null, sport_center_id: gym });
    expect(Date.parse(data.timestamp)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(data.timestamp)).toBeLessThanOrEqual(Date.now());
  });

  test('replaces the location: there is one row a user, without fields of the previous one', async () => {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    await post(bea, HERE);
    await post(ada, { ...HERE, accuracy: 5, sport_center_id: gym });
    const { data } = await post(ada, AWAY);
    expect(data).toMatchObject({ ...AWAY, accuracy: null, sport_center_id: null });
    expect(await rowsOf(ada)).toMatchObject([{ ...AWAY, accuracy_m: null }]);
    expect(await current(bea)).toMatchObject(HERE);
  });

  test('of an earlier moment changes nothing and returns the known location', async () => {
    const ada = await api.signIn('Ada');
    const { data } = await post(ada, { ...HERE, timestamp: ago(10) });
    const late = { ...AWAY, timestamp: ago(11), accuracy: 1 };
    expect(await post(ada, late)).toMatchObject({ status: 200, data });
    expect(await patch(ada, late)).toMatchObject({ status: 200, data });
    expect(await current(ada)).toEqual(data);
  });

  test('from a clock that is ahead counts as of now, so that it expires in time and blocks no later one', async () => {
    const ada = await api.signIn('Ada');
    const { data } = await post(ada, { ...HERE, timestamp: ago(-4) });
    expect(Date.parse(data.timestamp)).toBeLessThanOrEqual(Date.now());
    expect(await post(ada, AWAY)).toMatchObject({ data: AWAY });
  });

  test.each<[string, object, () => string | null, () => string | null]>([
    ['the wanted one although another is nearer', north(110), () => gym, () => gym],
    ['the nearest where the wanted one is too far', north(160), () => gym, () => pool],
    ['the nearest where none is wanted', north(110), () => null, () => pool],
    ['none beyond 150 m', north(-151), () => gym, () => null],
    ['one at 149 m', north(-149), () => null, () => gym],
    ['the open one instead of the closed one', HERE, () => closed, () => gym],
    ['the nearest where the wanted one is unknown', HERE, () => randomUUID(), () => gym],
  ])('is at %s', async (_what, position, wanted, expected) => {
    const ada = await api.signIn('Ada');
    const { status, data } = await post(ada, { ...position, sport_center_id: wanted() });
    expect([status, data.sport_center_id]).toEqual([200, expected()]);
  });

  test.each([
    [150, () => gym],
    [151, () => null],
    [100_000, () => null],
  ])('that is known to %i m only is at a center where that is near enough, wanted or not', async (accuracy, center) => {
    const ada = await api.signIn('Ada');
    for (const wanted of [{}, { sport_center_id: gym }]) {
      expect((await post(ada, { ...HERE, accuracy, ...wanted })).data.sport_center_id).toBe(center());
    }
    expect((await patch(ada, { accuracy: 5 })).data.sport_center_id).toBe(gym);
    expect((await patch(ada, { accuracy })).data.sport_center_id).toBe(center());
  });

  test('of many at once the one of the latest moment stays [property]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 110 }), { minLength: 2, maxLength: 6 }),
        async (minutes) => {
          const ada = await api.signIn('Ada');
          const bodies = minutes.map((each) => ({ latitude: each / 2, longitude: 0, timestamp: ago(each) }));
          const replies = await Promise.all(bodies.map((body) => post(ada, body)));
          expect(replies.map(({ status }) => status)).toEqual(bodies.map(() => 200));
          expect(await rowsOf(ada)).toMatchObject([{ latitude: Math.min(...minutes) / 2 }]);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('PATCH', () => {
  test('changes the given fields and keeps the others [spec 7.location.patch]', async () => {
    const ada = await api.signIn('Ada');
    const { data } = await post(ada, { ...HERE, accuracy: 20, timestamp: ago(30) });
    expect(await patch(ada, {})).toMatchObject({ status: 200, data });
    expect(await patch(ada, { accuracy: 8 })).toMatchObject({ status: 200, data: { ...data, accuracy: 8 } });
    const timestamp = ago(20);
    expect(await patch(ada, { timestamp, accuracy: null })).toMatchObject({
      data: { ...data, timestamp, accuracy: null },
    });
    expect(await current(ada)).toEqual({ ...data, timestamp, accuracy: null });
  });

  test('with a position takes the present time, and keeps the chosen center while it is near', async () => {
    const ada = await api.signIn('Ada');
    await post(ada, { ...HERE, timestamp: ago(30) });
    const { data } = await patch(ada, north(110));
    expect(data).toMatchObject({ ...north(110), sport_center_id: gym });
    expect(Date.parse(data.timestamp)).toBeGreaterThan(Date.now() - MINUTE_MS);
    expect((await patch(ada, north(160))).data.sport_center_id).toBe(pool);
    expect((await patch(ada, AWAY)).data.sport_center_id).toBe(null);
  });

  test('of the center takes it only where it is near enough', async () => {
    const ada = await api.signIn('Ada');
    await post(ada, north(90));
    expect((await patch(ada, { sport_center_id: pool })).data.sport_center_id).toBe(pool);
    await post(ada, north(20));
    expect((await patch(ada, { sport_center_id: pool })).data.sport_center_id).toBe(gym);
  });
});

describe('GET', () => {
  test('returns the known location, to its owner only, until it is two hours old [spec 7.location.current]', async () => {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    const { data } = await post(ada, { ...HERE, accuracy: 3 });
    const read_after = async (minutes: number) => {
      clock_ms = minutes * MINUTE_MS;
      return current(await signInAgain(api, ada.user.id, 'Phone', () => now().getTime()));
    };
    expect(await current(bea)).toBe(null);
    expect(await read_after(119)).toEqual(data);
    expect(await read_after(120)).toBe(null);
  });

  test('the location of an athlete who never sent one is null, and no error [spec 7.location.current-null]', async () => {
    const ada = await api.signIn('Ada');
    const reply = await send(api, ada, 'GET', getUserLocation.path);
    expect(reply).toEqual({ status: 200, success: true, data: null });
  });
});

test('a location is in no live event', async () => {
  const ada = await api.signIn('Ada');
  await post(ada, HERE);
  await patch(ada, AWAY);
  expect(await api.database.selectFrom('user_events').selectAll().execute()).toEqual([]);
});
