import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeMachinePostgres } from './machine-postgres.ts';

/** Returns the folders of the programs of PostgreSQLs of these versions. */
function install(versions: string[], extensions = ['btree_gist', 'pg_trgm'], share = '../share/extension'): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'sendlap-machine-postgres-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return versions.map((version) => {
    const bin_dir = join(folder, 'lib', 'postgresql', version, 'bin');
    const extension_dir = join(bin_dir, share);
    for (const path of [bin_dir, extension_dir]) mkdirSync(path, { recursive: true });
    for (const name of extensions) writeFileSync(join(extension_dir, `${name}.control`), '');
    for (const program of ['postgres', 'initdb'])
      writeFileSync(join(bin_dir, program), `#!/bin/sh\necho "${program} (PostgreSQL) ${version}"\n`, { mode: 0o755 });
    return bin_dir;
  });
}

test('doctor names the folder of newer programs of the same major version', () => {
  const folders = install(['18.9', '18.12', '19.1']);
  expect(describeMachinePostgres('18.4', folders)).toEqual([
    {
      ...{ check: 'postgres', verdict: 'lacking' },
      detail: `this machine has PostgreSQL 18.12, newer than the 18.4 that runs: set POSTGRES_BIN to ${folders[1]}, and restart`,
    },
  ]);
});

test('doctor says nothing of programs that are as old, of another major version, or missing', () => {
  expect(describeMachinePostgres('18.4', [...install(['18.4', '18.3', '17.9', '19beta1']), '/none'])).toEqual([]);
});

test('doctor advises no programs whose extensions are missing', () => {
  for (const extensions of [[], ['btree_gist'], ['pg_trgm']])
    expect(describeMachinePostgres('18.4', install(['18.12'], extensions))).toEqual([]);
});

test.each([
  '../../../../share/postgresql/18/extension',
  '../share/postgresql@18/extension',
  '../share/postgresql/extension',
])('doctor finds the extensions of the programs in %s', (share) => {
  expect(describeMachinePostgres('18.4', install(['18.12'], undefined, share))).toHaveLength(1);
});
