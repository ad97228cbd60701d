import { deleteBioInfo, saveBioInfo, updateBioInfo } from '@sendlap/contract/bio-info.ts';
import { getUserLocation, saveUserLocation } from '@sendlap/contract/locations.ts';
import { getSettings, updateSettings } from '@sendlap/contract/users.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { countWaiting } from '#test/database/lock-waits.ts';
import { send } from '#test/scenes/filled-person.ts';

let api: TestApp;
beforeAll(async () => {
  api = await buildTestApp();
});
afterAll(() => api.close());

/** Defaults of a user without a choice. */
const notifications = { messages: true, friends: true, proofs: true, show_text: false, quiet_hours: null };

const set = (who: SignedIn, changes: object) => send(api, who, 'PATCH', updateSettings.path, changes);
const read = async (who: SignedIn) => (await send(api, who, 'GET', getSettings.path)).data;
const sayAge = (who: SignedIn, age: number) =>
  send(api, who, 'POST', saveBioInfo.path, { age, weight_kg: 60, height_cm: 170, male: null });

describe('presence', () => {
  test.each([5, 15])('is refused at the age of %i, together with all else that was asked', async (age) => {
    const ada = await api.signIn('Ada');
    await sayAge(ada, age);
    const changes = { display_name: 'Other', presence: true };
    expect(await set(ada, changes)).toMatchObject({ status: 409, code: 'presence_not_allowed' });
    expect(await read(ada)).toEqual({ display_name: 'Ada', presence: false, boards: false, notifications });
    expect(await set(ada, { presence: false })).toMatchObject({ status: 200 });
  });

  test.each([
    ['saved', (who: SignedIn) => sayAge(who, 15)],
    [
      'changed',
      async (who: SignedIn) => {
        const { updated_at } = (await sayAge(who, 30)).data;
        return send(api, who, 'PATCH', updateBioInfo.path, { updated_at, age: 15 });
      },
    ],
  ])('is off permanently once bio info under 16 is %s, also when that is deleted', async (_how, say15) => {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    await set(bea, { presence: true });
    await set(ada, { presence: true });
    expect((await say15(ada)).data.age).toBe(15);
    expect((await read(ada)).presence).toBe(false);
    await send(api, ada, 'DELETE', deleteBioInfo.path);
    expect((await read(ada)).presence).toBe(false);
    expect((await read(bea)).presence).toBe(true);
  });

  test('is refused to a user whose age under 16 is being saved at this moment', async () => {
    const ada = await api.signIn('Ada');
    const user_id = ada.user.id;
    const reply = await api.database.transaction().execute(async (trx) => {
      await trx.selectFrom('users').select('id').where('id', '=', user_id).forNoKeyUpdate().execute();
      await sql`insert into bio_info (id, user_id, age, weight_kg, height_cm, created_at, updated_at)
        values (gen_random_uuid(), ${user_id}, 15, 60, 170, now(), now())`.execute(trx);
      const switching = set(ada, { presence: true });
      await expect.poll(() => countWaiting(api.database)).toBe(1);
      return { switching };
    });
    expect(await reply.switching).toMatchObject({ status: 409, code: 'presence_not_allowed' });
    await send(api, ada, 'DELETE', deleteBioInfo.path);
    expect((await read(ada)).presence).toBe(false);
  });

  test('and an age under 16 that come together end with it off, 20 times over', async () => {
    const ada = await api.signIn('Ada');
    for (let round = 0; round < 20; round += 1) {
      const [switched, said] = await Promise.all([set(ada, { presence: true }), sayAge(ada, 15)]);
      expect([200, 409]).toContain(switched.status);
      expect(said.status).toBe(201);
      await send(api, ada, 'DELETE', deleteBioInfo.path);
      expect((await read(ada)).presence).toBe(false);
    }
  });

  test('switched off deletes the user’s location at once', async () => {
    const ada = await api.signIn('Ada');
    await set(ada, { presence: true });
    const at = { latitude: 43.26, longitude: -2.93 };
    await api.app.inject({ method: 'POST', url: saveUserLocation.path, headers: ada.headers, payload: at });
    const where = async () => (await api.app.inject({ url: getUserLocation.path, headers: ada.headers })).json().data;
    expect(await where()).toMatchObject(at);
    await set(ada, { presence: false });
    expect(await where()).toBeNull();
  });

  test.each(['yes', 1, null])('%j is neither on nor off', async (presence) => {
    expect(await set(await api.signIn('Ada'), { presence })).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  test('is off until it is switched on, and stays while other settings change', async () => {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    expect(await read(ada)).toEqual({ display_name: 'Ada', presence: false, boards: true, notifications });
    expect((await set(ada, { presence: true })).data).toEqual({
      display_name: 'Ada',
      presence: true,
      boards: true,
      notifications,
    });
    expect((await set(ada, { display_name: 'Ana' })).data).toEqual({
      display_name: 'Ana',
      presence: true,
      boards: true,
      notifications,
    });
    expect((await set(ada, { presence: false })).data).toEqual({
      display_name: 'Ana',
      presence: false,
      boards: true,
      notifications,
    });
    expect(await read(bea)).toEqual({ display_name: 'Bea', presence: false, boards: true, notifications });
  });

  test('can be switched on at 16, and is off for a user whose bio info says to be younger later', async () => {
    const ada = await api.signIn('Ada');
    await sayAge(ada, 16);
    expect((await set(ada, { presence: true })).data.presence).toBe(true);
    await send(api, ada, 'DELETE', deleteBioInfo.path);
    await sayAge(ada, 15);
    expect((await read(ada)).presence).toBe(false);
    expect((await set(ada, { display_name: 'Ana' })).data.presence).toBe(false);
  });
});
