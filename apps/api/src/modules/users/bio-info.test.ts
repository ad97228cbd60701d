import { randomUUID } from 'node:crypto';
import { getMe } from '@sendlap/contract/auth.ts';
import { BioInfo, deleteBioInfo, getBioInfo, saveBioInfo, updateBioInfo } from '@sendlap/contract/bio-info.ts';
import { BIO_INFO_BOUNDS } from '@sendlap/domain/bio-info/bio-info.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';

let api: TestApp;
beforeAll(async () => {
  api = await buildTestApp();
});
afterAll(() => api.close());

const BODY = { age: 30, weight_kg: 70.5, height_cm: 175, male: null };

async function call(
  who: SignedIn | undefined,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  payload?: object,
  key?: string,
) {
  const headers = { ...who?.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) };
  const reply = await api.app.inject({ method, url: getBioInfo.path, headers, ...(payload ? { payload } : {}) });
  return { status: reply.statusCode, replayed: reply.headers['idempotent-replay'] === 'true', ...reply.json() };
}

const save = (who: SignedIn, body: object = BODY, key?: string) => call(who, saveBioInfo.method, body, key);
const update = (who: SignedIn, body: object) => call(who, updateBioInfo.method, body);

describe('refusals', () => {
  test('a caller without a token can neither read nor write', async () => {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE'] as const) {
      expect(await call(undefined, method, method === 'POST' ? BODY : undefined)).toMatchObject({ status: 401 });
    }
  });

  test('reading before it was saved is a 404 with the text of the spec [spec 8.bio-info.not-found-text]', async () => {
    expect(await call(await api.signIn('Ada'), 'GET')).toMatchObject({
      status: 404,
      code: 'bio_info_not_found',
      message: 'Bio information not found for this user',
    });
  });

  test('a late copy of the save does not bring back data that was deleted since; a new save does', async () => {
    const ada = await api.signIn('Ada');
    const key = randomUUID();
    expect(await save(ada, BODY, key)).toMatchObject({ status: 201 });
    expect(await call(ada, 'DELETE')).toMatchObject({ status: 200 });
    expect(await save(ada, BODY, key)).toMatchObject({ status: 409, code: 'conflict' });
    expect(await call(ada, 'GET')).toMatchObject({ status: 404 });
    expect(await save(ada, BODY, randomUUID())).toMatchObject({ status: 201 });
    await call(ada, 'DELETE');
    expect(await save(ada, BODY, key)).toMatchObject({ status: 409, code: 'conflict' });
  });

  test.each(['garbage', '', '2026-13-01T00:00:00Z', '2026-11-21T10:00:60Z'])('%j is no version', async (updated_at) => {
    const ada = await api.signIn('Ada');
    await save(ada);
    expect(await update(ada, { updated_at, age: 31 })).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  test('changing before a save is the same 404; deleting succeeds', async () => {
    const ada = await api.signIn('Ada');
    const change = { updated_at: new Date().toISOString(), age: 31 };
    expect(await update(ada, change)).toMatchObject({ status: 404, code: 'bio_info_not_found' });
    expect(await call(ada, 'DELETE')).toMatchObject({ status: 200, data: {} });
  });

  test.each([
    ['an unknown field', { ...BODY, points: 1 }],
    ['a missing field', { age: 30, weight_kg: 70 }],
    ['half a year', { ...BODY, age: 30.5 }],
    ['text', { ...BODY, weight_kg: '70' }],
    ['null', { ...BODY, height_cm: null }],
  ])('%s is refused', async (_what, body) => {
    const ada = await api.signIn('Ada');
    expect(await save(ada, body)).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(await call(ada, 'GET')).toMatchObject({ status: 404 });
  });

  test('a key that is no UUID v4 is refused', async () => {
    const ada = await api.signIn('Ada');
    expect(await save(ada, BODY, 'again')).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  test('a second save without the key of the first is refused', async () => {
    const ada = await api.signIn('Ada');
    await save(ada, BODY, randomUUID());
    expect(await save(ada)).toMatchObject({ status: 409, code: 'bio_info_exists' });
    expect(await save(ada, BODY, randomUUID())).toMatchObject({ status: 409, code: 'bio_info_exists' });
  });

  test('a second save with the key of the first and other data is refused', async () => {
    const [ada, key] = [await api.signIn('Ada'), randomUUID()];
    await save(ada, BODY, key);
    expect(await save(ada, { ...BODY, age: 31 }, key)).toMatchObject({ status: 422, code: 'idempotency_mismatch' });
  });

  test("no user can read, change or delete another's", async () => {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    const { data } = await save(ada, BODY, randomUUID());
    expect(await call(bea, 'GET')).toMatchObject({ status: 404 });
    expect(await update(bea, { updated_at: data.updated_at, age: 99 })).toMatchObject({ status: 404 });
    await call(bea, 'DELETE');
    expect((await call(ada, 'GET')).data).toEqual(data);
  });
});

test('bio info is saved, read, changed and deleted [spec 7.bio-info.get, 7.bio-info.post, 7.bio-info.patch, 7.bio-info.delete]', async () => {
  const ada = await api.signIn('Ada');
  const saved = await save(ada);
  expect(saved).toMatchObject({ status: 201, data: { ...BODY, user_id: ada.user.id } });
  expect((await call(ada, 'GET')).data).toEqual(saved.data);
  const changed = await update(ada, { updated_at: saved.data.updated_at, age: 31, male: true });
  expect(changed).toMatchObject({ status: 200, replayed: false, data: { ...BODY, age: 31, male: true } });
  expect(changed.data.created_at).toBe(saved.data.created_at);
  expect(Date.parse(changed.data.updated_at)).toBeGreaterThan(Date.parse(saved.data.updated_at));
  expect((await call(ada, 'GET')).data).toEqual(changed.data);
  expect(await call(ada, deleteBioInfo.method)).toMatchObject({ status: 200 });
  expect(await call(ada, 'GET')).toMatchObject({ status: 404 });
});

test('bio info has the fields of the spec, one row a user [spec 3.bio-info.fields, 3.bio-info.per-user]', async () => {
  const ada = await api.signIn('Ada');
  const { data } = await save(ada);
  const fields = ['id', 'user_id', 'age', 'weight_kg', 'height_cm', 'male', 'created_at', 'updated_at'];
  expect(Object.keys(data)).toEqual(fields);
  expect(() => BioInfo.parse(data)).not.toThrow();
  await save(ada);
  const rows = await api.database.selectFrom('bio_info').selectAll().where('user_id', '=', ada.user.id).execute();
  expect(rows).toHaveLength(1);
});

test('the signed-in user shows age, weight and height, 0 without bio info [spec 3.user.age-default, 3.user.weight-default, 3.user.height-default]', async () => {
  const ada = await api.signIn('Ada');
  const readMe = async () => {
    const { user } = (await api.app.inject({ url: getMe.path, headers: ada.headers })).json().data;
    return [user.age, user.weight_kg, user.height_cm];
  };
  expect(await readMe()).toEqual([0, 0, 0]);
  await save(ada);
  expect(await readMe()).toEqual([30, 70.5, 175]);
  await call(ada, 'DELETE');
  expect(await readMe()).toEqual([0, 0, 0]);
});

describe('repeats', () => {
  test('two people may use the same key', async () => {
    const key = randomUUID();
    const replies = [await save(await api.signIn('Ada'), BODY, key), await save(await api.signIn('Bea'), BODY, key)];
    expect(replies.map((reply) => [reply.status, reply.replayed])).toEqual([
      [201, false],
      [201, false],
    ]);
  });

  test('a repeated save with the same key and data returns the current data, also after a change', async () => {
    const [ada, key] = [await api.signIn('Ada'), randomUUID()];
    const first = await save(ada, BODY, key);
    expect(await save(ada, BODY, key.toUpperCase())).toMatchObject({ status: 201, replayed: true, data: first.data });
    const changed = await update(ada, { updated_at: first.data.updated_at, age: 44 });
    expect(await save(ada, BODY, key)).toMatchObject({ status: 201, replayed: true, data: changed.data });
  });

  test('a repeated change succeeds without an effect, another one on the old version is refused', async () => {
    const ada = await api.signIn('Ada');
    const { data } = await save(ada);
    const change = { updated_at: data.updated_at, weight_kg: 71, male: false };
    const changed = await update(ada, change);
    expect(await update(ada, change)).toMatchObject({ status: 200, replayed: true, data: changed.data });
    const other = await update(ada, { ...change, weight_kg: 72 });
    expect(other).toMatchObject({ status: 409, code: 'bio_info_changed' });
    expect((await call(ada, 'GET')).data).toEqual(changed.data);
  });

  test('an empty change returns the current data, and makes no new version', async () => {
    const ada = await api.signIn('Ada');
    const { data } = await save(ada);
    expect((await update(ada, { updated_at: data.updated_at })).data).toEqual(data);
    expect((await call(ada, 'GET')).data).toEqual(data);
  });
});

describe('at the same time', () => {
  test('of changes of one version exactly one wins, 20 times over', async () => {
    const ada = await api.signIn('Ada');
    let { data } = await save(ada);
    for (let round = 0; round < 20; round += 1) {
      const ages = [20 + round, 60 + round, 100 - round];
      const version = data.updated_at;
      const replies = await Promise.all(ages.map((age) => update(ada, { updated_at: version, age })));
      const won = replies.filter((reply) => reply.status === 200);
      expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409, 409]);
      ({ data } = await call(ada, 'GET'));
      expect(data).toEqual(won[0]?.data);
    }
  });

  test('concurrent changes and a deletion never cause a 5xx', async () => {
    const ada = await api.signIn('Ada');
    for (let round = 0; round < 20; round += 1) {
      const { data } = await save(ada);
      const replies = await Promise.all([
        update(ada, { updated_at: data.updated_at, age: 31 }),
        update(ada, { updated_at: data.updated_at, age: 32 }),
        call(ada, 'DELETE'),
      ]);
      for (const { status } of replies) expect([200, 404, 409]).toContain(status);
    }
  });

  test('of two first saves one is made and one refused; with one key both get it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [ada, bea, key] = [await api.signIn('Ada'), await api.signIn('Bea'), randomUUID()];
      const without = await Promise.all([save(ada), save(ada, { ...BODY, age: 40 })]);
      expect(without.map((reply) => reply.status).sort()).toEqual([201, 409]);
      const keyed = await Promise.all([save(bea, BODY, key), save(bea, BODY, key)]);
      expect(keyed.map((reply) => reply.status)).toEqual([201, 201]);
      expect(keyed.filter((reply) => reply.replayed)).toHaveLength(1);
      expect(keyed[0]?.data).toEqual(keyed[1]?.data);
    }
  });
});

test('all values within the bounds are stored as sent, and all others are refused', async () => {
  const ada = await api.signIn('Ada');
  const near = ({ min, max }: { min: number; max: number }) =>
    fc.oneof(
      fc.double({ min: min - 50, max: max + 50, noNaN: true }).filter((number) => !Object.is(number, -0)),
      fc.integer({ min: min - 2, max: max + 2 }),
      fc.constantFrom(min, max, min - 1e-9, max + 1e-9, -max, 0, 1e300),
    );
  const within = (value: number, { min, max }: { min: number; max: number }) => value >= min && value <= max;
  const { age, weight_kg, height_cm } = BIO_INFO_BOUNDS;
  const bodies = fc.record({
    age: near(age),
    weight_kg: near(weight_kg),
    height_cm: near(height_cm),
    male: fc.constantFrom(true, false, null),
  });
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const fits =
        Number.isInteger(body.age) &&
        within(body.age, age) &&
        within(body.weight_kg, weight_kg) &&
        within(body.height_cm, height_cm);
      await call(ada, 'DELETE');
      const saved = await save(ada, body);
      expect(saved.status).toBe(fits ? 201 : 400);
      if (fits) expect((await call(ada, 'GET')).data).toMatchObject(body);
    }),
    { numRuns: 300 },
  );
}, 60_000);
