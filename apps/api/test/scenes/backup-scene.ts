import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrations } from '#api/database/migrations.ts';
import { writeBackup } from '#api/modules/backups/write-backup.ts';
import type { TestApp } from '../app/app.ts';
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

/** The migration of the version that `becomeLaterVersion` pretends: it gives users a `later` of 7. */
export const LATER_MIGRATION = '999-later';

/** From now on, this program has one migration more than the databases of tests. Returns how to end that. */
export async function becomeLaterVersion(): Promise<() => Promise<void>> {
  const { folder } = migrations;
  const later = await mkdtemp(join(tmpdir(), 'sendlap-migrations-'));
  await cp(folder, later, { recursive: true });
  await writeFile(join(later, `${LATER_MIGRATION}.sql`), 'alter table users add column later integer default 7;');
  migrations.folder = pathToFileURL(`${later}/`);
  return async () => {
    migrations.folder = folder;
    await rm(later, { recursive: true });
  };
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
