import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeDatabaseFolder } from '#test/database/throw-away-server.ts';
import { testUnlessMissing } from '#test/skip-without.ts';
import { migrate } from '../migrations.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

// One of the tests creates a database.
vi.setConfig({ testTimeout: 90_000 });

const INSTALLED = '/usr/lib/postgresql';
const logger = { info() {}, warn() {}, error() {} };

let scratch: string;
let data_dir: string;
beforeEach(() => {
  scratch = makeDatabaseFolder();
  data_dir = join(scratch, 'data');
});
afterEach(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

const start = (bin_dir: string) => startEmbeddedPostgres({ data_dir, bin_dir, logger });

/** Programs of which `postgres` runs this script. */
function writePrograms(script: string, names = ['postgres', 'initdb']): string {
  const folder = join(scratch, 'programs');
  mkdirSync(folder);
  for (const name of names) writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return folder;
}
const programsOf = (version: string) => writePrograms(`echo 'postgres (PostgreSQL) ${version}'`);

describe('POSTGRES_BIN is refused with one line, and nothing is written,', () => {
  test.each<[string, () => string, RegExp]>([
    ['without programs', () => join(scratch, 'none'), /^POSTGRES_BIN: \S+ has no postgres: [^\n]+$/],
    [
      'without initdb',
      () => writePrograms('', ['postgres']),
      /^POSTGRES_BIN: \S+ has no initdb: name the folder [^\n]+$/,
    ],
    ['with PostgreSQL 14', () => programsOf('14.22'), /^POSTGRES_BIN: this is PostgreSQL 14\.22, [^\n]+ 15 or newer/],
    [
      'with programs that do not run',
      () => writePrograms('echo "a library is missing" >&2; exit 127'),
      /^POSTGRES_BIN: \S+postgres does not say its version: a library is missing$/,
    ],
  ])('%s', async (_name, arrange, line) => {
    await expect(start(arrange())).rejects.toMatchObject({ name: 'StartError', message: expect.stringMatching(line) });
    expect(existsSync(data_dir)).toBe(false);
  });

  test('for data of another major version, with the way by a backup', async () => {
    mkdirSync(join(data_dir, 'postgres'), { recursive: true });
    writeFileSync(join(data_dir, 'postgres', 'PG_VERSION'), '18\n');
    await expect(start(programsOf('17.6'))).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(
        /^The database in \S+ was written by PostgreSQL 18, POSTGRES_BIN is PostgreSQL 17: set DATA_DIR to another folder and restore a backup into it, or set POSTGRES_BIN to the programs of PostgreSQL 18\.$/,
      ),
    });
    expect(readdirSync(data_dir, { recursive: true }).map(String).sort()).toEqual(['postgres', 'postgres/PG_VERSION']);
  });
});

const majors = existsSync(INSTALLED) ? readdirSync(INSTALLED).map(Number) : [];
const installed = majors
  .filter((major) => major >= 15)
  .map((major) => join(INSTALLED, String(major), 'bin'))
  .find((folder) => existsSync(join(folder, 'initdb')));

testUnlessMissing(
  installed === undefined ? `no server programs in ${INSTALLED}` : undefined,
  "the machine's own programs create the database, take the schema, and open the data again",
  async () => {
    const bin_dir = installed ?? '';
    const first = await start(bin_dir);
    await whileRunning(first, () => migrate(first.url));
    const second = await start(bin_dir);
    const found = await whileRunning(second, async () => {
      const client = new Client({ connectionString: second.url });
      await client.connect();
      const { rows } =
        await client.query(`select count(*) > 0 as has_schema, lower('ÅÉÑ') as lowered, 'Z' < 'a' as is_by_code_point,
        current_setting('server_encoding') as encoding, current_setting('data_checksums') as checksums from kysely_migration`);
      await client.end();
      return rows;
    });
    expect(found).toEqual([
      { has_schema: true, lowered: 'åéñ', is_by_code_point: true, encoding: 'UTF8', checksums: 'on' },
    ]);
    expect(bin_dir).toContain(`/${readFileSync(join(data_dir, 'postgres', 'PG_VERSION'), 'utf8').trim()}/`);
  },
);

async function whileRunning<Value>(server: EmbeddedPostgres, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } finally {
    await server.stop();
  }
}
