import { randomUUID } from 'node:crypto';
import { saveBioInfo } from '@sendlap/contract/bio-info.ts';
import { listPresentUsers, PresentUser, saveUserLocation } from '@sendlap/contract/locations.ts';
import { deleteMe, updateSettings } from '@sendlap/contract/users.ts';
import { isPresent } from '@sendlap/domain/locations.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { befriend, makeCenter } from '#test/factories.ts';
import { send, signInAgain } from '#test/scenes/filled-person.ts';

const MINUTE_MS = 60_000;
const DEGREES_A_METRE = 180 / (Math.PI * 6_371_000);
const GYM = { latitude: 43.26, longitude: -2.93 };
const POOL = { latitude: 43.3, longitude: -2.93 };

let clock_ms = 0;
const now = () => new Date(Date.now() + clock_ms);

let api: TestApp;
let gym = '';
let pool = '';
beforeAll(async () => {
  api = await buildTestApp({
    now,
    seed: async (database) => {
      gym = await makeCenter(database);
      pool = await makeCenter(database);
      await database.updateTable('sport_centers').set(POOL).where('id', '=', pool).execute();
    },
  });
});
afterAll(() => api.close());
beforeEach(() => {
  clock_ms = 0;
});

type Who = Pick<SignedIn, 'headers'>;
const set = (who: Who, changes: object) => send(api, who, 'PATCH', updateSettings.path, changes);
const ask = (who: Who, sport_center_ids: unknown) =>
  send(api, who, 'POST', listPresentUsers.path, { sport_center_ids } as object);
const idsSeenBy = async (who: Who, ids = [gym, pool]) =>
  (await ask(who, ids)).data.map(({ id }: PresentUser) => id).sort();
const sayAge = (who: Who, age: number) =>
  send(api, who, 'POST', saveBioInfo.path, { age, weight_kg: 60, height_cm: 170, male: null });
const post = (who: Who, metres: number, place = GYM) =>
  send(api, who, 'POST', saveUserLocation.path, {
    ...place,
    latitude: place.latitude + metres * DEGREES_A_METRE,
    sport_center_id: place === GYM ? gym : pool,
  });

/** A user at the gym who shares their presence with friends. */
async function present(name: string, metres = 20): Promise<SignedIn> {
  const who = await api.signIn(name);
  expect(await set(who, { presence: true })).toMatchObject({ status: 200, data: { presence: true } });
  expect((await post(who, metres)).data.sport_center_id).toBe(gym);
  return who;
}

/** A user present at the gym, and a friend who asks. */
async function pair(metres?: number): Promise<{ ada: SignedIn; bea: SignedIn; friendship: string }> {
  const [ada, bea] = [await api.signIn('Ada'), await present('Bea', metres)];
  return { ada, bea, friendship: await befriend(api.database, ada, bea) };
}

describe('refusals', () => {
  test.each([
    ['none', []],
    ['101', Array.from({ length: 101 }, () => randomUUID())],
    ['no ids', ['gym']],
    ['nothing', null],
    ['one text', randomUUID()],
  ])('%s of centers is refused', async (_what, ids) => {
    expect(await ask(await api.signIn('Ada'), ids)).toMatchObject({ status: 400, code: 'validation_failed' });
  });
});

describe('no other user is seen at a center', () => {
  test('by a stranger, or by a friend of a friend', async () => {
    const { ada, bea } = await pair();
    const cleo = await api.signIn('Cleo');
    await befriend(api.database, ada, cleo);
    expect(await idsSeenBy(ada)).toEqual([bea.user.id]);
    expect(await idsSeenBy(cleo)).toEqual([]);
    expect(await idsSeenBy(await api.signIn('Dan'))).toEqual([]);
  });

  test('by a former friend', async () => {
    const { ada, bea, friendship } = await pair();
    expect(await idsSeenBy(ada)).toEqual([bea.user.id]);
    await api.database.deleteFrom('friendships').where('id', '=', friendship).execute();
    expect(await idsSeenBy(ada)).toEqual([]);
  });

  test('by friends, until they want it, and after they no longer do', async () => {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    await befriend(api.database, ada, bea);
    await post(bea, 10);
    expect(await idsSeenBy(ada)).toEqual([]);
    await set(bea, { presence: true });
    expect(await idsSeenBy(ada)).toEqual([bea.user.id]);
    await set(bea, { presence: false });
    expect(await idsSeenBy(ada)).toEqual([]);
  });

  test('under 16, also where the bio info says so only later', async () => {
    const { ada, bea } = await pair();
    await sayAge(bea, 15);
    expect(await idsSeenBy(ada)).toEqual([]);
    const sixteen = await pair();
    await sayAge(sixteen.bea, 16);
    expect(await idsSeenBy(sixteen.ada)).toEqual([sixteen.bea.user.id]);
  });

  test('with a locked account', async () => {
    const { ada, bea } = await pair();
    expect((await send(api, bea, 'DELETE', deleteMe.path)).status).toBe(200);
    expect(await idsSeenBy(ada)).toEqual([]);
  });

  test('two hours after they were there', async () => {
    const { ada, bea } = await pair();
    const seen_after = async (minutes: number) => {
      clock_ms = minutes * MINUTE_MS;
      return idsSeenBy(await signInAgain(api, ada.user.id, 'Phone', () => now().getTime()));
    };
    expect(await seen_after(119)).toEqual([bea.user.id]);
    expect(await seen_after(120)).toEqual([]);
  });

  test('that was not requested, or that they have left', async () => {
    const { ada, bea } = await pair();
    expect(await idsSeenBy(ada, [pool])).toEqual([]);
    expect(await idsSeenBy(ada, [randomUUID()])).toEqual([]);
    await post(bea, 0, POOL);
    expect(await idsSeenBy(ada, [gym])).toEqual([]);
    expect(await idsSeenBy(ada, [pool, pool])).toEqual([bea.user.id]);
  });

  test('that has closed, or moved away, since they were there', async () => {
    const { ada, bea } = await pair();
    const place = (changes: object) =>
      api.database.updateTable('sport_centers').set(changes).where('id', '=', gym).execute();
    await place({ closed_at: new Date() });
    expect(await idsSeenBy(ada)).toEqual([]);
    await place({ closed_at: null });
    expect(await idsSeenBy(ada)).toEqual([bea.user.id]);
    await place({ latitude: GYM.latitude + 500 * DEGREES_A_METRE });
    expect(await idsSeenBy(ada)).toEqual([]);
    await place(GYM);
    expect(await idsSeenBy(ada)).toEqual([bea.user.id]);
  });

  test('as their own friend', async () => {
    const { bea } = await pair();
    expect(await idsSeenBy(bea)).toEqual([]);
  });
});

test('friends who want it are seen, by id, name and center [spec 7.location.batch, 7.location.batch-reply]', async () => {
  const { ada, bea } = await pair(20);
  const cleo = await present('Cleo', 120);
  await befriend(api.database, cleo, ada);
  await set(bea, { display_name: 'Bea B.' });
  await api.database.updateTable('users').set({ display_name: null }).where('id', '=', cleo.user.id).execute();
  const { status, data } = await ask(ada, [pool, gym]);
  const at_gym = { sport_center_id: gym };
  expect([status, data]).toEqual([
    200,
    [
      { id: bea.user.id, name: 'Bea B.', public_id: bea.user.public_id, ...at_gym, is_nearby: true },
      { id: cleo.user.id, name: 'Athlete', public_id: cleo.user.public_id, ...at_gym, is_nearby: false },
    ],
  ]);
});

test('nearby is within 100 m, and no athlete beyond 150 m is seen', async () => {
  const { ada, bea } = await pair();
  for (const [metres, expected] of [
    [99, [true]],
    [101, [false]],
    [149, [false]],
    [151, []],
  ] as const) {
    await post(bea, metres);
    const { data } = await ask(ada, [gym]);
    expect(
      data.map(({ is_nearby }: PresentUser) => is_nearby),
      `${metres} m`,
    ).toEqual(expected);
  }
});

const Scene = fc.record({
  friends: fc.boolean(),
  presence: fc.boolean(),
  age: fc.constantFrom(null, 5, 15, 16, 40),
  metres: fc.constantFrom(0, 50, 100, 149, 151, 5000),
  minutes: fc.constantFrom(0, 60, 119, 120, 300),
  locked: fc.boolean(),
});

test('exactly those are seen who may be, and a reply never holds a position, a distance or a time [property]', async () => {
  const ada = await api.signIn('Ada');
  await fc.assert(
    fc.asyncProperty(fc.array(Scene, { minLength: 1, maxLength: 5 }), async (scenes) => {
      await api.database.deleteFrom('friendships').execute();
      const expected: string[] = [];
      for (const scene of scenes) {
        const { presence, age, metres, minutes, locked } = scene;
        const who = await api.signIn('Bea');
        if (scene.friends) await befriend(api.database, ada, who);
        if (age !== null) await sayAge(who, age);
        const located_at = new Date(Date.now() - minutes * MINUTE_MS);
        const latitude = GYM.latitude + metres * DEGREES_A_METRE;
        const place = { ...GYM, latitude, accuracy_m: null, sport_center_id: gym };
        const row = { user_id: who.user.id, located_at, ...place };
        await api.database.insertInto('user_locations').values(row).execute();
        const state = { presence, is_active: !locked };
        await api.database.updateTable('users').set(state).where('id', '=', who.user.id).execute();
        const seen = isPresent(
          { presence, age, distance_km: metres / 1000, located_at_ms: located_at.getTime() },
          Date.now(),
        );
        if (scene.friends && !locked && seen) expected.push(who.user.id);
      }
      const { data } = await ask(ada, [gym, pool]);
      expect(data.map(({ id }: PresentUser) => id).sort()).toEqual(expected.sort());
      const Exactly = z.array(z.strictObject(PresentUser.shape));
      expect(Exactly.parse(data)).toEqual(data);
      expect(JSON.stringify(data)).not.toMatch(/latitude|longitude|distance|accuracy|timestamp|located|43\.2|2\.93/);
    }),
    { numRuns: 25 },
  );
});
