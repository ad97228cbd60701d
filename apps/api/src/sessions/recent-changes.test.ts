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

function openNode(on = database) {
  const changes = createRecentChanges(on);
  const told: (string | undefined)[] = [];
  changes.onUserChange((user_id) => told.push(user_id));
  const poll = async () => {
    clock_ms += 4_001;
    await changes.ensureFresh();
  };
  return { changes, told, poll };
}

/** The same database with a query counter; it can be disconnected. */
function cuttable() {
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
  test('is not trusted when it is over 4 s old and the database cannot say', async () => {
    const { state, database: cut } = cuttable();
    const { changes } = openNode(cut);
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
    const { state, database: counted } = cuttable();
    const { changes } = openNode(counted);
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
  test('is told once per change, at every change of the user or of the bio info', async () => {
    const [ada, bystander] = [await createUser(), await createUser()];
    const { told, poll } = openNode();
    await poll();
    await poll();
    told.length = 0;
    const changesOfAda = () => told.splice(0).filter((id) => id === ada).length;

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
    expect(told).not.toContain(bystander);
  });

  test('is told also when its transaction was open through two polls', async () => {
    const ada = await createUser();
    const { told, poll } = openNode();
    await poll();
    await poll();
    told.length = 0;
    await database.transaction().execute(async (trx) => {
      await trx.updateTable('users').set({ name: 'Late' }).where('id', '=', ada).execute();
      await poll();
      await poll();
      expect(told).not.toContain(ada);
    });
    await poll();
    expect(told).toContain(ada);
  });

  test('names every user after a pause too long to look back on, and when very many changed', async () => {
    const { told, poll } = openNode();
    await poll();
    expect(told).toEqual([undefined]);
    clock_ms += 3_600_000;
    await poll();
    expect(told.at(-1)).toBeUndefined();
    told.length = 0;
    const ids = Array.from({ length: 1_001 }, () => randomUUID());
    await database
      .insertInto('users')
      .values(ids.map((id) => ({ id, public_id: id.slice(0, 20), email: '', name: 'Many' })))
      .execute();
    await poll();
    expect(told).toEqual([undefined]);
  });
});
