import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app.ts';
import { createForgetting } from './forgetting.ts';

const MINUTE_MS = 60_000;
const presence = { tellGone: async () => {} };

let api: TestApp;
beforeAll(async () => {
  api = await buildTestApp();
});
afterAll(() => api.close());

async function locate(name: string, minutes_ago: number): Promise<void> {
  const { user } = await api.signIn(name);
  const located_at = new Date(Date.now() - minutes_ago * MINUTE_MS);
  const place = { latitude: 1, longitude: 2, accuracy_m: null, sport_center_id: null };
  await api.database
    .insertInto('user_locations')
    .values({ user_id: user.id, located_at, ...place })
    .execute();
}

const known = async () => {
  const rows = await api.database
    .selectFrom('user_locations')
    .innerJoin('users', 'users.id', 'user_id')
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
};

describe('forgetting', () => {
  test('removes what is two hours old and keeps what is not', async () => {
    await locate('Ada', 121);
    await locate('Bea', 118);
    const forgetting = createForgetting({
      database: api.database,
      presence,
      now: () => new Date(),
      log: { warn() {} },
    });
    expect(await forgetting.run()).toBe(1);
    expect(await known()).toEqual(['Bea']);
    expect(await forgetting.run()).toBe(0);
  });

  test('happens at the start of the app', async () => {
    await locate('Cleo', 200);
    const restarted = await buildTestApp({ database_url: api.database_url });
    try {
      await expect.poll(known, { timeout: 5_000 }).not.toContain('Cleo');
    } finally {
      await restarted.close();
    }
  });

  test('that fails is logged, and does not end the app', async () => {
    const warnings: string[] = [];
    const broken = { ...api.database, deleteFrom: () => fail() } as unknown as typeof api.database;
    const log = { warn: (_fields: object, text: string) => void warnings.push(text) };
    const forgetting = createForgetting({ database: broken, presence, now: () => new Date(), log });
    forgetting.start();
    await forgetting.close();
    expect(warnings).toEqual(['old locations could not be removed, it will be tried again']);
  });
});

function fail(): never {
  throw new Error('cut');
}
