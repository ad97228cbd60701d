import { randomUUID } from 'node:crypto';
import type { KyselyPlugin } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTestDatabase } from '#test/database/database.ts';
import type { Database } from '../database/database.ts';
import { createRecentChanges } from './recent-changes.ts';

let own: Awaited<ReturnType<typeof openTestDatabase>>;
let database: Database;
beforeAll(async () => {
  own = await openTestDatabase();
  ({ database } = own);
});
afterAll(() => own.close());

let clock_ms = 0;
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => clock_ms);
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function createUser(): Promise<string> {
  const id = randomUUID();
  const user = { id, public_id: id.slice(0, 20), email: '', name: 'Ada' };
  await database.insertInto('users').values(user).execute();
  return id;
}

const rename = (id: string, name: string) => database.updateTable('users').set({ name }).where('id', '=', id).execute();

function openRecentChanges(on = database) {
  const changes = createRecentChanges(on);
  const reported: (string | undefined)[] = [];
  changes.onUserChange((user_id) => reported.push(user_id));
  const poll = async () => {
    clock_ms += 4_001;
    await changes.ensureFresh();
  };
  return { changes, reported, poll };
}

/** The same database with a query counter; it can be disconnected. */
function withQueryCounter() {
  const state = { down: false, queries: 0 };
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      state.queries += 1;
      if (state.down) throw new Error('down');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { state, database: database.withPlugin(plugin) };
}

describe('the list of recent changes', () => {
  test('is not trusted when it is over 4 s old and the database is unreachable', async () => {
    const { state, database: cut } = withQueryCounter();
    const { changes } = openRecentChanges(cut);
    await changes.ensureFresh();
    state.down = true;
    clock_ms += 4_000;
    expect(changes.ensureFresh()).toBeUndefined();
    clock_ms += 1;
    await expect(changes.ensureFresh()).rejects.toThrow('down');
    state.down = false;
    await changes.ensureFresh();
    expect(changes.ensureFresh()).toBeUndefined();
  });

  test('costs one query per 2 s, however often it is asked', async () => {
    const { state, database: counted } = withQueryCounter();
    const { changes } = openRecentChanges(counted);
    await Promise.all(Array.from({ length: 50 }, () => changes.ensureFresh()));
    clock_ms += 2_000;
    expect(changes.ensureFresh()).toBeUndefined();
    expect(state.queries).toBe(1);
    clock_ms += 1;
    for (let count = 0; count < 50; count += 1) expect(changes.ensureFresh()).toBeUndefined();
    expect(state.queries).toBe(2);
  });
});

describe('a changed user', () => {
  test('is reported once per change, at every change of the user or of the bio info', async () => {
    const [ada, bystander] = [await createUser(), await createUser()];
    const { reported, poll } = openRecentChanges();
    await poll();
    await poll();
    reported.length = 0;
    const changesOfAda = () => reported.splice(0).filter((id) => id === ada).length;

    await rename(ada, 'Ada L.');
    await poll();
    expect(changesOfAda()).toBe(1);
    await poll();
    expect(changesOfAda()).toBe(0);

    const bio_info = {
      id: randomUUID(),
      user_id: ada,
      client_id: null,
      age: 30,
      weight_kg: 60,
      height_cm: 170,
      male: null,
    };
    await database.insertInto('bio_info').values(bio_info).execute();
    await poll();
    expect(changesOfAda()).toBe(1);
    await database.updateTable('bio_info').set({ age: 31 }).where('user_id', '=', ada).execute();
    await poll();
    expect(changesOfAda()).toBe(1);
    await database.deleteFrom('bio_info').where('user_id', '=', ada).execute();
    await poll();
    expect(changesOfAda()).toBe(1);
    expect(reported).not.toContain(bystander);
  });

  test('is reported also when its transaction was open through two polls', async () => {
    const ada = await createUser();
    const { reported, poll } = openRecentChanges();
    await poll();
    await poll();
    reported.length = 0;
    await database.transaction().execute(async (trx) => {
      await trx.updateTable('users').set({ name: 'Late' }).where('id', '=', ada).execute();
      await poll();
      await poll();
      expect(reported).not.toContain(ada);
    });
    await poll();
    expect(reported).toContain(ada);
  });

  test('all users (undefined) are reported after a pause longer than the look-back, and when very many changed', async () => {
    const { reported, poll } = openRecentChanges();
    await poll();
    expect(reported).toEqual([undefined]);
    clock_ms += 3_600_000;
    await poll();
    expect(reported.at(-1)).toBeUndefined();
    reported.length = 0;
    const ids = Array.from({ length: 1_001 }, () => randomUUID());
    await database
      .insertInto('users')
      .values(ids.map((id) => ({ id, public_id: id.slice(0, 20), email: '', name: 'Many' })))
      .execute();
    await poll();
    expect(reported).toEqual([undefined]);
  });
});
