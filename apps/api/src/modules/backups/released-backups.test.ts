import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { readMigrationNames } from '#api/database/migrations.ts';
import { VERSION } from '#api/platform/version.ts';
import { buildTestApp } from '#test/app/app.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { openBackupScene } from '#test/scenes/backup-scene.ts';
import { checkBackup } from './read-backup.ts';
import { restoreBackup } from './restore-backup.ts';

/** A filled backup of each released version, named by it. 0.1.0 adds the first one. */
const FOLDER = join(import.meta.dirname, '../../../test/released');
const CHANGELOG = join(import.meta.dirname, '../../../../../CHANGELOG.md');

beforeAll(async () => {
  if (process.env.RECORD_BACKUP !== '1') return;
  const scene = await openBackupScene();
  await copyFile(await scene.backUp('filled.sendlap'), join(FOLDER, `${VERSION}.sendlap`));
  await scene.close();
});

test('each version that the changelog dates has a filled backup here', async () => {
  const released = [...(await readFile(CHANGELOG, 'utf8')).matchAll(/^## \[([\d.]+)\] – (?!unreleased)/gm)];
  expect((await listFiles()).sort()).toEqual(released.map(([, version]) => `${version}.sendlap`).sort());
});

test('every released version comes up to date from its filled backup, and runs', async () => {
  for (const name of await listFiles()) {
    const backup = await checkBackup(join(FOLDER, name));
    expect(`${backup.header.app_version}.sendlap`).toBe(name);
    const target = await openTestDatabase();
    const sums = await restoreBackup(backup, { database_url: target.url });
    const users = sums.find((sum) => sum.name === 'users')?.rows;
    expect(users).toBeGreaterThan(2);
    const { rows } = await sql<{ users: number; migration: string }>`
      select (select count(*) from users) as users, (select max(name) from kysely_migration) as migration`.execute(
      target.database,
    );
    expect(rows).toEqual([{ users, migration: (await readMigrationNames()).at(-1) }]);
    const server = await buildTestApp({ database_url: target.url });
    await server.signIn('Zoe');
    await server.close();
    await target.close();
  }
});

const listFiles = async () => (await readdir(FOLDER)).filter((name) => name.endsWith('.sendlap'));
