import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '#test/database/database.ts';
import { openOldPostgres, openRefusingPostgres } from '#test/servers/postgres-imposters.ts';
import type { Database } from './database.ts';
import { prepareDatabase } from './prepare-database.ts';
import { createSecrets } from './secrets.ts';
import { loadSigningKeys } from './signing-keys.ts';

const SECRET = 'the secret that this database was sealed with';
const close = async () => {};

let own: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  own = await openTestDatabase();
});
afterAll(() => own.close());

const prepare = (changes: { database_url?: string; secret?: string } = {}) =>
  prepareDatabase({ database_url: own.url, secret: SECRET, location: 'DATABASE_URL', close, ...changes });

async function readMigrations(database: Database) {
  return (await sql`select * from kysely_migration order by name`.execute(database)).rows;
}

describe('a database that this program cannot use is refused with one line:', () => {
  test.each([
    ['28P01', 'password authentication failed for user "ada"', /refuses this user or password/],
    ['28000', 'no pg_hba.conf entry for host', /refuses this user or password/],
    ['3D000', 'database "sendlap" does not exist', /"sendlap" does not exist: create it/],
    ['53300', 'sorry, too many clients already', /cannot be reached/],
  ])('one that answers %s', async (code, message, words) => {
    const server = await openRefusingPostgres(code, message);
    const refusal = prepare({ database_url: server.url });
    await expect(refusal).rejects.toMatchObject({ name: 'StartError', message: expect.stringMatching(words) });
    await expect(refusal).rejects.toThrow(/^DATABASE_URL: [^\n]+$/);
    server.close();
  });

  test('one on a port where no server listens', async () => {
    const refusal = prepare({ database_url: 'postgres://localhost:1/x' });
    await expect(refusal).rejects.toThrow(/^DATABASE_URL: the database cannot be reached[^\n]+$/);
    await expect(refusal).rejects.toHaveProperty('name', 'StartError');
  });

  test('one in which the role may change nothing', async () => {
    const other = await openTestDatabase();
    await sql`create role onlooker login`.execute(other.database);
    const refusal = prepare({ database_url: other.url.replace('sendlap@', 'onlooker@') });
    await expect(refusal).rejects.toThrow(/^DATABASE_URL: [^\n]*permission denied[^\n]*$/);
    await expect(refusal).rejects.toHaveProperty('name', 'StartError');
    await sql`drop role onlooker`.execute(other.database);
    await other.close();
  });

  test('one of an old PostgreSQL', async () => {
    const server = await openOldPostgres('14.22');
    const refusal = prepare({ database_url: server.url });
    await expect(refusal).rejects.toThrow(/^DATABASE_URL: this is PostgreSQL 14\.22, and Sendlap needs 15 [^\n]+$/);
    await expect(refusal).rejects.toHaveProperty('name', 'StartError');
    server.close();
  });

  test('one on a host whose name is not known', async () => {
    const refusal = prepare({ database_url: 'postgres://ada:x@nowhere.invalid/sendlap' });
    await expect(refusal).rejects.toThrow(
      /^DATABASE_URL: the (name of its server is not known|database cannot)[^\n]+$/,
    );
  });

  test('one of a newer program, which stays as it is', async () => {
    const other = await openTestDatabase();
    const name = '999-of-tomorrow';
    await sql`insert into kysely_migration (name, timestamp) values (${name}, now()::text)`.execute(other.database);
    const before = await readMigrations(other.database);
    const refusal = prepare({ database_url: other.url });
    await expect(refusal).rejects.toThrow(/^DATABASE_URL: a newer Sendlap[^\n]+\(999-of-tomorrow\)[^\n]+$/);
    await expect(refusal).rejects.toHaveProperty('name', 'StartError');
    expect(await readMigrations(other.database)).toEqual(before);
    await other.close();
  });

  test.each([['001-users'], ['001-baseline'], ['001-baseline', '002-operators']])(
    'one from before the first release, with %s, which stays as it is',
    async (...names) => {
      const other = await openTestDatabase();
      await sql`delete from kysely_migration`.execute(other.database);
      for (const name of names)
        await sql`insert into kysely_migration (name, timestamp) values (${name}, now()::text)`.execute(other.database);
      const before = await readMigrations(other.database);
      const refusal = prepare({ database_url: other.url });
      await expect(refusal).rejects.toThrow(/^DATABASE_URL: a Sendlap from before 0.1.0 made this database[^\n]+$/);
      await expect(refusal).rejects.toHaveProperty('name', 'StartError');
      expect(await readMigrations(other.database)).toEqual(before);
      await other.close();
    },
  );

  test('one that was sealed with another secret, before its schema is touched', async () => {
    const secrets = createSecrets(SECRET);
    await loadSigningKeys({ database: own.database, secrets, purpose: 'access tokens', alg: 'EdDSA' });
    await sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(own.database);
    const before = await readMigrations(own.database);
    const refusal = prepare({ secret: 'another secret, just as long as that one' });
    await expect(refusal).rejects.toThrow(/^SECRET: this is not the secret[^\n]+$/);
    await expect(refusal).rejects.toHaveProperty('name', 'StartError');
    expect(await readMigrations(own.database)).toEqual(before);
  });
});

test('a database of this program, with its secret, is taken, and a second time nothing is left to do', async () => {
  const other = await openTestDatabase();
  expect(await prepare({ database_url: other.url })).toEqual([]);
  await loadSigningKeys({
    database: other.database,
    secrets: createSecrets(SECRET),
    purpose: 'access tokens',
    alg: 'EdDSA',
  });
  expect(await prepare({ database_url: other.url })).toEqual([]);
  await other.close();
});
