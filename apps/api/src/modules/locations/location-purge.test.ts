import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUserService } from '#api/modules/users/service.ts';
import { buildTestApp } from '#test/app/app.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { createLocationPurge } from './location-purge.ts';

const MINUTE_MS = 60_000;
const presence = { notifyDeleted: async () => {} };

// Without an app: its own first run could happen at any moment of a test.
let own: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  own = await openTestDatabase();
});
afterAll(() => own.close());

async function locate(name: string, minutes_ago: number): Promise<void> {
  const person = { issuer: 'test', subject: name, email: '', name, display_name: name };
  const user = await createUserService(own.database).findOrCreate(person);
  const located_at = new Date(Date.now() - minutes_ago * MINUTE_MS);
  const position = { latitude: 1, longitude: 2, accuracy_m: null, sport_center_id: null };
  await own.database
    .insertInto('user_locations')
    .values({ user_id: user.id, located_at, ...position })
    .execute();
}

const known = async () => {
  const rows = await own.database
    .selectFrom('user_locations')
    .innerJoin('users', 'users.id', 'user_id')
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
};

describe('forgetting', () => {
  test('removes locations older than two hours and keeps younger ones', async () => {
    await locate('Ada', 121);
    await locate('Bea', 118);
    const forgetting = createLocationPurge({
      database: own.database,
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
    const restarted = await buildTestApp({ database_url: own.url });
    try {
      await expect.poll(known).not.toContain('Cleo');
    } finally {
      await restarted.close();
    }
  });

  test('that fails is logged, and does not end the app', async () => {
    const warnings: string[] = [];
    const broken = { ...own.database, deleteFrom: () => fail() } as unknown as typeof own.database;
    const log = { warn: (_fields: object, text: string) => void warnings.push(text) };
    const forgetting = createLocationPurge({ database: broken, presence, now: () => new Date(), log });
    forgetting.start();
    await forgetting.close();
    expect(warnings).toEqual(['old locations could not be removed; retrying later']);
  });
});

function fail(): never {
  throw new Error('cut');
}
