import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { readMigration, readMigrationNames } from '#api/database/migrations.ts';
import { writeBackup } from '#api/modules/backups/write-backup.ts';
import type { TestApp } from '../app/app.ts';
import { openTestDatabase } from '../database/database.ts';
import { type FilledPerson, fillPerson, openPlace } from './filled-person.ts';

/** A running server with rows in every table, and a folder for its backups. */
export interface BackupScene {
  api: TestApp;
  person: FilledPerson;
  folder: string;
  /** Backs up this server, or another database with its secret, under this name in the folder. Returns the path. */
  backUp(name: string, database_url?: string): Promise<string>;
  close(): Promise<void>;
}

/** A database with the schema of the first release. */
export async function openOldDatabase() {
  const old = await openTestDatabase();
  const [first = ''] = await readMigrationNames();
  const statements = [
    'drop schema public cascade',
    'create schema public',
    await readMigration(first),
    'create table kysely_migration (name text primary key, timestamp text)',
    `insert into kysely_migration values ('${first}', '2026-01-01')`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(old.database);
  return old;
}

export async function openBackupScene(): Promise<BackupScene> {
  const folder = await mkdtemp(join(tmpdir(), 'sendlap-backups-'));
  const { api, center } = await openPlace();
  return {
    api,
    person: await fillPerson(api, center),
    folder,
    async backUp(name, database_url = api.database_url) {
      const file = join(folder, name);
      await writeBackup({ database_url, secrets: api.secrets, now: () => new Date() }, file);
      return file;
    },
    async close() {
      await api.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
