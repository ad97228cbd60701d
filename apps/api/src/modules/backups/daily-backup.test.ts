import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getServerOverview } from '@sendlap/contract/server-management/overview.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readMigrationNames } from '#api/database/migrations.ts';
import { prepareDatabase } from '#api/database/prepare-database.ts';
import { readEnv } from '#api/platform/env.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { becomeLaterVersion, LATER_MIGRATION } from '#test/scenes/backup-scene.ts';
import { makeOperator } from '#test/scenes/right-holders.ts';
import { backUpBeforeMigration } from './before-migration.ts';
import { createDailyBackup } from './daily-backup.ts';
import { checkBackup } from './read-backup.ts';
import { verifyBackup } from './verify-backup.ts';

const HOUR_MS = 3_600_000;
const SECRET = 'a secret for tests, at least 32 characters long';

let api: TestApp;
let folder: string;
let now: Date;
let warnings: string[];
beforeEach(async () => {
  now = new Date('2026-11-27T03:00:00Z');
  warnings = [];
  folder = await mkdtemp(join(tmpdir(), 'sendlap-daily-'));
  api = await buildTestApp({ now: () => now });
});
afterEach(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

const makeJob = (more: Partial<Parameters<typeof createDailyBackup>[0]> = {}) =>
  createDailyBackup({
    ...{ database: api.database, database_url: api.database_url, secrets: api.secrets, folder, keep: 3 },
    readNow: async () => now,
    ...{ restores_on_trial: true, readFreeBytes: async () => null },
    log: { info() {}, warn: (_fields: object, text: string) => void warnings.push(text) },
    ...more,
  });
const passHours = (hours: number) => {
  now = new Date(now.getTime() + hours * HOUR_MS);
};
const listBackups = async () => (await readdir(folder)).sort();

async function readOverview() {
  const { headers } = await makeOperator(api, 'Olga');
  return (await api.app.inject({ url: getServerOverview.path, headers })).json().data.backups;
}

test('a server without users, or with 0 to keep, makes no backup', async () => {
  expect(await makeJob().run()).toBe(0);
  await api.signIn('Ada');
  expect(await makeJob({ keep: 0 }).run()).toBe(0);
  expect(await listBackups()).toEqual([]);
});

test('a server makes one backup a day, which can be restored, and the operators see its age', async () => {
  await api.signIn('Ada');
  expect(await readOverview()).toEqual({ made_at: null, bytes: null, has_failed: false });
  expect(await makeJob().run()).toBe(1);
  const [name = '', ...more] = await listBackups();
  expect([name, more]).toEqual(['daily-2026-11-27T03-00-00Z.sendlap', []]);
  const backup = await checkBackup(join(folder, name));
  await verifyBackup(backup, api.database_url, async () => null);
  expect(await readOverview()).toEqual({ made_at: now.toISOString(), bytes: backup.bytes, has_failed: false });
  passHours(23);
  expect(await makeJob().run()).toBe(0);
  passHours(1);
  expect(await makeJob().run()).toBe(1);
});

test('the latest backups and other files stay, and leftovers of killed runs are deleted', async () => {
  await api.signIn('Ada');
  const in_work = new Date('2026-12-01T02:00:00Z');
  const others = ['before-002-later.sendlap', 'mine.sendlap', '.daily-x.sendlap.abc.partial', 'film.partial'];
  for (const name of others) await writeFile(join(folder, name), '');
  await writeFile(join(folder, '.daily-y.sendlap.def.partial'), '');
  for (const name of ['.daily-y.sendlap.def.partial', 'film.partial'])
    await utimes(join(folder, name), new Date(0), new Date(0));
  await utimes(join(folder, '.daily-x.sendlap.abc.partial'), in_work, in_work);
  for (let day = 0; day < 5; day += 1) {
    expect(await makeJob().run()).toBe(1);
    passHours(24);
  }
  expect(await listBackups()).toEqual(
    [
      ...others,
      ...[29, 30].map((day) => `daily-2026-11-${day}T03-00-00Z.sendlap`),
      'daily-2026-12-01T03-00-00Z.sendlap',
    ].sort(),
  );
});

test('one of several nodes makes the backup', async () => {
  await api.signIn('Ada');
  const made = await Promise.all([makeJob().run(), makeJob().run(), makeJob().run()]);
  expect(made.sort()).toEqual([0, 0, 1]);
  expect(await listBackups()).toHaveLength(1);
});

test('a backup whose file is gone is made again after an hour', async () => {
  await api.signIn('Ada');
  expect(await makeJob().run()).toBe(1);
  await rm(folder, { recursive: true });
  passHours(0.5);
  expect(await makeJob().run()).toBe(0);
  passHours(0.5);
  expect(await makeJob().run()).toBe(1);
  expect(await listBackups()).toEqual(['daily-2026-11-27T04-00-00Z.sendlap']);
  passHours(2);
  expect(await makeJob().run()).toBe(0);
});

test('each of two nodes with folders of their own makes one a day', async () => {
  await api.signIn('Ada');
  const made: number[][] = [];
  for (let hour = 0; hour < 26; hour += 1) {
    made.push([await makeJob().run(), await makeJob({ folder: join(folder, 'second') }).run()]);
    passHours(1);
  }
  expect(
    made.flatMap((nodes, hour) => nodes.flatMap((count, node) => (count ? [`node ${node} at ${hour}`] : []))),
  ).toEqual(['node 0 at 0', 'node 1 at 1', 'node 0 at 24', 'node 1 at 25']);
});

test('the operators see a failure, the server stays ready, and tries again after an hour', async () => {
  await api.signIn('Ada');
  await writeFile(join(folder, 'file'), '');
  const job = makeJob({ folder: join(folder, 'file') });
  expect(await job.run()).toBe(0);
  expect(warnings).toEqual(['the daily backup failed; retrying in an hour']);
  expect(await readOverview()).toEqual({ made_at: null, bytes: null, has_failed: true });
  expect((await api.app.inject({ url: '/readyz' })).statusCode).toBe(200);
  expect(await makeJob().run()).toBe(0);
  passHours(1);
  expect(await makeJob().run()).toBe(1);
  expect(await readOverview()).toMatchObject({ has_failed: false });
});

test('a disk without room for the trial restore gets none', async () => {
  await api.signIn('Ada');
  // What killed runs left may be what fills it.
  await writeFile(join(folder, '.daily-y.sendlap.def.partial'), '');
  await utimes(join(folder, '.daily-y.sendlap.def.partial'), new Date(0), new Date(0));
  expect(await makeJob({ readFreeBytes: async () => 1_000_000 }).run()).toBe(0);
  expect([await listBackups(), (await readOverview()).has_failed]).toEqual([[], true]);
  const failure = (await api.database.selectFrom('backup_state').select('failure').executeTakeFirst())?.failure;
  expect(failure).toMatch(
    /^A trial restore needs \d+ MB of free disk, and the disk of the database has 1 MB: free some space\.$/,
  );
});

test('without a trial restore the backup is written, its bytes are checked, and the log says so', async () => {
  await api.signIn('Ada');
  const texts: string[] = [];
  const log = { info: (_fields: object, text: string) => void texts.push(text), warn() {} };
  expect(await makeJob({ restores_on_trial: false, log }).run()).toBe(1);
  expect(texts).toEqual(['backup made, not restored on trial']);
  const [name = ''] = await listBackups();
  await verifyBackup(await checkBackup(join(folder, name)), api.database_url, async () => null);
});

test('without a trial restore a file on the disk of the database needs room, and on another disk none', async () => {
  await api.signIn('Ada');
  const asked: (string | undefined)[] = [];
  const makeWith = (free_bytes: number | null) =>
    makeJob({
      restores_on_trial: false,
      readFreeBytes: async (file) => {
        asked.push(file);
        return free_bytes;
      },
    });
  expect(await makeWith(1_000_000).run()).toBe(0);
  expect([asked, await listBackups()]).toEqual([[join(folder, 'daily-2026-11-27T03-00-00Z.sendlap')], []]);
  const failure = (await api.database.selectFrom('backup_state').select('failure').executeTakeFirst())?.failure;
  expect(failure).toMatch(
    /^A backup needs \d+ MB of free disk, and the disk of the database has 1 MB: free some space\.$/,
  );
  passHours(1);
  expect(await makeWith(null).run()).toBe(1);
});

test('a backup made under a clock years ahead stops no later one, and stays', async () => {
  await api.signIn('Ada');
  passHours(24 * 365 * 3);
  expect(await makeJob({ keep: 1 }).run()).toBe(1);
  passHours(-24 * 365 * 3);
  await writeFile(join(folder, 'daily-2026-11-26T03-00-00Z.sendlap'), '');
  expect(await makeJob({ keep: 1 }).run()).toBe(1);
  expect(await listBackups()).toEqual(['daily-2026-11-27T03-00-00Z.sendlap', 'daily-2029-11-26T03-00-00Z.sendlap']);
  expect(await makeJob({ keep: 1 }).run()).toBe(0);
  await api.database
    .updateTable('backup_state')
    .set({ made_at: null, failed_at: new Date('2031-01-01') })
    .execute();
  await rm(join(folder, 'daily-2026-11-27T03-00-00Z.sendlap'));
  expect(await makeJob({ keep: 1 }).run()).toBe(1);
});

test('two nodes whose clocks differ by more than a day make one backup, dated by the database', async () => {
  await api.signIn('Ada');
  onTestFinished(() => void vi.useRealTimers());
  const made: number[] = [];
  for (const ahead_hours of [0, 25, 0, 25]) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    vi.setSystemTime(Date.now() + ahead_hours * HOUR_MS);
    made.push(await makeJob({ readNow: undefined }).run());
    vi.useRealTimers();
  }
  expect(made).toEqual([1, 0, 0, 0]);
});

test('a clock of another node that is some minutes ahead makes no second backup', async () => {
  await api.signIn('Ada');
  expect(await makeJob().run()).toBe(1);
  passHours(-0.2);
  expect(await makeJob().run()).toBe(0);
});

describe('before the schema of a database changes', () => {
  let endLaterVersion: () => Promise<void>;
  beforeEach(async () => {
    endLaterVersion = await becomeLaterVersion();
  });
  afterEach(() => endLaterVersion());

  const storage = (url: string) => ({
    database_url: url,
    secret: SECRET,
    location: 'DATABASE_URL',
    close: async () => {},
  });
  const prepare = (url: string, settings: Record<string, string> = {}) => {
    const env = readEnv({ BACKUP_DIR: folder, ...settings });
    return prepareDatabase(storage(url), backUpBeforeMigration(env, storage(url)));
  };

  test('with users it is backed up, once', async () => {
    const old = await openTestDatabase();
    await sql`insert into users (id, public_id, name) values (gen_random_uuid(), 'ada', 'Ada')`.execute(old.database);
    expect(await prepare(old.url)).toEqual([LATER_MIGRATION]);
    expect(await listBackups()).toEqual([`before-${LATER_MIGRATION}.sendlap`]);
    const { header } = await checkBackup(join(folder, `before-${LATER_MIGRATION}.sendlap`));
    expect(header.migrations).toEqual((await readMigrationNames()).slice(0, -1));
    await rm(join(folder, `before-${LATER_MIGRATION}.sendlap`));
    expect(await prepare(old.url)).toEqual([]);
    expect(await listBackups()).toEqual([]);
    await old.close();
  });

  test('of two nodes that start together one does it, and the other waits', async () => {
    const old = await openTestDatabase();
    await sql`insert into users (id, public_id, name) values (gen_random_uuid(), 'ada', 'Ada')`.execute(old.database);
    const begun: string[] = [];
    const start = () =>
      prepareDatabase(storage(old.url), async (migration) => {
        begun.push(migration);
        await expect.poll(countWaiting).toBe(1);
      });
    const countWaiting = async () => {
      const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(old.database);
      return rows.length;
    };
    const ran = await Promise.all([start(), start()]);
    expect([begun, ran.flat()]).toEqual([[LATER_MIGRATION], [LATER_MIGRATION]]);
    await old.close();
  });

  test('and the schema stays as it is if the backup fails, but not with 0 to keep', async () => {
    const old = await openTestDatabase();
    await sql`insert into users (id, public_id, name) values (gen_random_uuid(), 'ada', 'Ada')`.execute(old.database);
    await writeFile(join(folder, 'file'), '');
    const BACKUP_DIR = join(folder, 'file');
    await expect(prepare(old.url, { BACKUP_DIR })).rejects.toThrow(
      /^BACKUP_DIR: the backup before an update .*[^\n]+$/,
    );
    const applied = await sql`select from kysely_migration where name = ${LATER_MIGRATION}`.execute(old.database);
    expect(applied.rows).toEqual([]);
    expect(await prepare(old.url, { BACKUP_DIR, BACKUP_KEEP: '0' })).toEqual([LATER_MIGRATION]);
    await old.close();
  });

  test('an empty one is not backed up', async () => {
    const old = await openTestDatabase();
    expect(await prepare(old.url)).toEqual([LATER_MIGRATION]);
    expect(await listBackups()).toEqual([]);
    await old.close();
  });
});
