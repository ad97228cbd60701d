import { refresh } from '@sendlap/contract/auth.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { readEpoch } from '#api/database/epoch.ts';
import { migrate, readMigrationNames } from '#api/database/migrations.ts';
import { holdStart } from '#api/database/start-lock.ts';
import { appendEvents, readPosition } from '#api/events/event-store.ts';
import { ACCESS_TOKEN_PURPOSE } from '#api/sessions/access-tokens.ts';
import { REFRESH_COOKIE } from '#api/sessions/refresh-cookies.ts';
import { buildTestApp, TEST_SECRET } from '#test/app/app.ts';
import { createBrowser } from '#test/app/browser.ts';
import { eventFor } from '#test/app/stream-events.ts';
import { readAllTables } from '#test/database/all-tables.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { type BackupScene, becomeLaterVersion, LATER_MIGRATION, openBackupScene } from '#test/scenes/backup-scene.ts';
import { fillEarlierSchema } from '#test/scenes/earlier-schema.ts';
import { checkBackup } from './read-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

const earlier_schemas = (await readMigrationNames()).slice(0, -1);

let scene: BackupScene;
let file: string;
beforeAll(async () => {
  scene = await openBackupScene();
  file = await scene.backUp('filled.sendlap');
});
afterAll(() => scene?.close());

describe('restore', () => {
  test('refuses a server with users, and one that runs, and changes nothing', async () => {
    const backup = await checkBackup(file);
    const running = restoreBackup(backup, { database_url: scene.api.database_url });
    await expect(running).rejects.toThrow('Sendlap runs on this database: stop it first, on every node.');
    const used = await openTestDatabase();
    await addUser(used.database);
    const before = await readAllTables(used.database);
    await expect(restoreBackup(backup, { database_url: used.url })).rejects.toThrow(/^This server has 1 user: /);
    expect(await readAllTables(used.database)).toEqual(before);
    await used.close();
  });

  test('lets no node and no verb start while it runs, and does not begin while one starts', async () => {
    const target = await openTestDatabase();
    const backup = await checkBackup(file);
    const place = { database_url: target.url, secret: TEST_SECRET, location: 'DATABASE_URL' };
    const release = await holdStart(place);
    await expect(restoreBackup(backup, { database_url: target.url })).rejects.toThrow(/^Sendlap runs on this database/);
    await release();
    const beforeCommit = async () => {
      await expect(holdStart(place)).rejects.toThrow(/^DATABASE_URL: a backup is being restored [^\n]+$/);
    };
    await restoreBackup(backup, { database_url: target.url, beforeCommit });
    await (await holdStart(place))();
    expect.assertions(2);
    await target.close();
  });

  test('takes all or nothing', async () => {
    const target = await openTestDatabase();
    const before = await readAllTables(target.database);
    const beforeCommit = () => Promise.reject(new Error('the disk is full'));
    const stopped = restoreBackup(await checkBackup(file), { database_url: target.url, beforeCommit });
    await expect(stopped).rejects.toThrow('the disk is full');
    expect(await readAllTables(target.database)).toEqual(before);
    await target.close();
  });

  test('brings every row back, and the server runs on it with the same secret', async () => {
    const target = await openTestDatabase();
    await restoreBackup(await checkBackup(file), { database_url: target.url });
    const [restored, original] = [await readAllTables(target.database), await readAllTables(scene.api.database)];
    expect(saved(restored)).toEqual(saved(original));
    expect(restored.user_events).toEqual([]);
    const server = await buildTestApp({ database_url: target.url });
    await server.signIn('Zoe');
    // Numbers of rows go on after the restored ones.
    await sql`insert into audit_entries (act) values ('report_dismissed')`.execute(target.database);
    await server.close();
    await target.close();
  });

  test('ends no session, but each access token: the next one names the epoch before a device sends more', async () => {
    const member = await scene.api.signIn('Member');
    const with_member = await scene.backUp('member.sendlap');
    const target = await openTestDatabase();
    await restoreBackup(await checkBackup(with_member), { database_url: target.url });
    const server = await buildTestApp({ database_url: target.url });
    const read = (token: string) =>
      server.app.inject({ url: '/v1/users/settings', headers: { authorization: `Bearer ${token}` } });
    const refused = await read(member.token);
    expect([refused.statusCode, refused.json().code]).toEqual([401, 'unauthenticated']);
    const cookies = new Map([[REFRESH_COOKIE, { value: member.refresh_token, path: '/' }]]);
    const renewed = await createBrowser(server.app, cookies).request(refresh.path, { method: 'POST' });
    expect(renewed.headers['x-server-epoch']).toBe(await readEpoch(target.database));
    expect((await read(renewed.json().data.access_token)).statusCode).toBe(200);
    await server.close();
    await target.close();
  });

  test('begins a new epoch: a stream that knows later events than the backup reads everything again', async () => {
    const { ada } = scene.person;
    const quiet = await scene.api.signIn('Quiet');
    const early = await scene.backUp('early.sendlap');
    const append = (database: Database, user_id: string, count: number) =>
      database.transaction().execute((trx) =>
        appendEvents(
          trx,
          Array.from({ length: count }, () => eventFor(user_id, 'an event')),
        ),
      );
    const positions = new Map<string, number>();
    for (const { user } of [ada, quiet]) {
      await append(scene.api.database, user.id, 3);
      positions.set(user.id, (await readPosition(scene.api.database, user.id, undefined)).last_seq);
    }
    const target = await openTestDatabase();
    await restoreBackup(await checkBackup(early), { database_url: target.url });
    // Without an epoch, these would get the numbers that the devices know already.
    for (const { user } of [ada, quiet]) {
      await append(target.database, user.id, 5);
      expect(await readPosition(target.database, user.id, positions.get(user.id))).toMatchObject({
        is_contiguous: false,
      });
    }
    expect(await readEpoch(target.database)).not.toBe(await readEpoch(scene.api.database));
    await target.close();
  });

  test.each(earlier_schemas)('brings a filled backup of schema %s up to date, with every row', async (last) => {
    const old = await openTestDatabase();
    await fillEarlierSchema(old.database, last, scene.api.database);
    const of_old = await checkBackup(await scene.backUp(`${last}.sendlap`, old.url));
    expect(of_old.header.migrations.at(-1)).toBe(last);
    const target = await openTestDatabase();
    await verifyBackup(of_old, target.url, async () => null);
    await restoreBackup(of_old, { database_url: target.url });
    const [restored, original] = [await readAllTables(target.database), await readAllTables(scene.api.database)];
    // A migration that updates a row moves it in its table.
    expect(sorted(saved(restored))).toEqual(sorted(saved(original)));
    const server = await buildTestApp({ database_url: target.url });
    await server.signIn('Zoe');
    await server.close();
    await old.close();
    await target.close();
  });

  test('brings a backup of an older schema up to date', async () => {
    const old = await openTestDatabase();
    await addUser(old.database);
    const of_old = await scene.backUp('old.sendlap', old.url);
    onTestFinished(await becomeLaterVersion());
    const target = await openTestDatabase();
    expect(await migrate(target.url)).toEqual([LATER_MIGRATION]);
    const backup = await checkBackup(of_old);
    await verifyBackup(backup, target.url, async () => null);
    await restoreBackup(backup, { database_url: target.url });
    const users = await sql`select later from users where public_id = 'someone'`.execute(target.database);
    expect(users.rows).toEqual([{ later: 7 }]);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by 1`.execute(target.database);
    expect(rows.map(({ name }) => name)).toEqual(await readMigrationNames());
    await old.close();
    await target.close();
  });
});

test('a backup is of one moment, whatever is written while it runs', async () => {
  const source = await openTestDatabase();
  await sql`insert into attempt_counts (key, points) select 'from ' || n, 0 from generate_series(1, 20000) n`.execute(
    source.database,
  );
  await sql`insert into users (id, public_id, email, name) values (gen_random_uuid(), 'counter', '0', 'Counter')`.execute(
    source.database,
  );
  let is_over = false;
  const write = async () => {
    // One transaction writes the first and the last table that the backup reads.
    for (let n = 1; !is_over; n += 1) {
      await source.database.transaction().execute(async (trx) => {
        await sql`update users set email = ${String(n)} where public_id = 'counter'`.execute(trx);
        await sql`update attempt_counts set points = ${n} where key = 'from 7'`.execute(trx);
      });
    }
  };
  const writing = write();
  const hot = await scene.backUp('hot.sendlap', source.url);
  is_over = true;
  await writing;
  const target = await openTestDatabase();
  await restoreBackup(await checkBackup(hot), { database_url: target.url });
  const { rows } = await sql<{ is_same: boolean }>`
    select (select points from attempt_counts where key = 'from 7')
      = (select email::int from users where public_id = 'counter') as is_same`.execute(target.database);
  expect(rows).toEqual([{ is_same: true }]);
  await source.close();
  await target.close();
});

const addUser = (database: Database) =>
  sql`insert into users (id, public_id, name) values (gen_random_uuid(), 'someone', 'Someone')`.execute(database);

/** Without what a restore changes or leaves out. */
function saved(all: Awaited<ReturnType<typeof readAllTables>>) {
  const {
    user_events: _events,
    user_event_counters: _counters,
    board_changes: _changes,
    request_counts: _counts,
    sport_center_version: _version,
    signing_keys: keys = [],
    kysely_migration: _migration,
    kysely_migration_lock: _lock,
    ...rest
  } = all;
  return { ...rest, signing_keys: keys.filter(({ purpose }) => purpose !== ACCESS_TOKEN_PURPOSE) };
}

const sorted = (all: Record<string, unknown[]>) =>
  Object.fromEntries(
    Object.entries(all).map(([table, rows]) => [table, rows.map((row) => JSON.stringify(row)).sort()]),
  );
