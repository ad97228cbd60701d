import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase } from '#test/database/database.ts';
import { type Database, databaseErrorCode, type Trx } from './database.ts';
import { PREPARED, PREPARED_DEFERRED } from './statement-pipeline.ts';

let own: Awaited<ReturnType<typeof openTestDatabase>>;
let database: Database;
beforeAll(async () => {
  own = await openTestDatabase();
  ({ database } = own);
  await sql`create table marks (id uuid primary key, word text not null)`.execute(database);
});
beforeEach(async () => {
  await sql`truncate marks`.execute(database);
});
afterAll(() => own.close());

const addAhead = (trx: Database | Trx, id: string, word: string | null = 'a') =>
  sql`${PREPARED_DEFERRED}insert into marks (id, word) values (${id}, ${word})`.execute(trx);
const count = async (on: Database | Trx) => {
  const { rows } = await sql<{ count: number }>`${PREPARED}select count(*)::int as count from marks`.execute(on);
  return rows[0]?.count;
};
const codeOf = (error: unknown) => databaseErrorCode(error);

test('the next statement throws the error of a pipelined one, with its own code, and nothing is kept', async () => {
  const id = randomUUID();
  const run = database.transaction().execute(async (trx) => {
    await addAhead(trx, id);
    await addAhead(trx, id);
    await count(trx);
  });
  expect(await run.catch(codeOf)).toBe('23505');
  expect(await count(database)).toBe(0);
});

test('the transaction throws the error of a statement that was pipelined with the commit', async () => {
  const run = database.transaction().execute(async (trx) => {
    await addAhead(trx, randomUUID());
    await addAhead(trx, randomUUID(), null);
  });
  expect(await run.catch(codeOf)).toBe('23502');
  expect(await count(database)).toBe(0);
});

test('an error thrown in the transaction undoes its pipelined statements, sent or not', async () => {
  for (const is_sent of [true, false]) {
    const run = database.transaction().execute(async (trx) => {
      await addAhead(trx, randomUUID());
      if (is_sent) await count(trx);
      throw new Error('changed our mind');
    });
    await expect(run).rejects.toThrow('changed our mind');
    expect(await count(database)).toBe(0);
  }
});

test('the next statement sees the pipelined ones, and the commit keeps them', async () => {
  const seen = await database.transaction().execute(async (trx) => {
    await addAhead(trx, randomUUID());
    const one = await count(trx);
    await addAhead(trx, randomUUID());
    return one;
  });
  expect(seen).toBe(1);
  expect(await count(database)).toBe(2);
});

test('a statement outside of a transaction is not pipelined, and throws its own error', async () => {
  const id = randomUUID();
  await addAhead(database, id);
  expect(await count(database)).toBe(1);
  expect(await addAhead(database, id).catch(codeOf)).toBe('23505');
});

test('connections stay usable after an error of a pipelined statement', async () => {
  for (let round = 0; round < 20; round += 1) {
    const broken = database.transaction().execute(async (trx) => {
      await addAhead(trx, randomUUID(), null);
    });
    await expect(broken).rejects.toThrow();
  }
  await database.transaction().execute(async (trx) => {
    await addAhead(trx, randomUUID());
  });
  expect(await count(database)).toBe(1);
});

test('a result keeps its rows and their count, whatever follows on the same connection', async () => {
  await addAhead(database, randomUUID());
  const word = (text: string) => sql<{ word: string }>`${PREPARED}select ${text} as word`;
  await database.connection().execute(async (one) => {
    const first = await word('first').execute(one);
    const changed = await sql`update marks set word = 'b'`.execute(one);
    const second = await word('second').execute(one);
    expect([first.rows, second.rows]).toEqual([[{ word: 'first' }], [{ word: 'second' }]]);
    expect(changed.numAffectedRows).toBe(1n);
  });
});

test('an error of the database has the stack of its caller', async () => {
  const askForNothing = async () => {
    await sql`select nothing from marks`.execute(database);
  };
  const error = await askForNothing().catch((reason: unknown) => reason);
  expect((error as Error).stack).toContain('askForNothing');
});
