import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeMachinePostgres } from './machine-postgres.ts';

/** Returns the folders of PostgreSQLs of these versions. */
function install(...versions: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'sendlap-machine-postgres-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return versions.map((version) => {
    const bin_dir = join(folder, version);
    mkdirSync(bin_dir);
    for (const program of ['postgres', 'initdb'])
      writeFileSync(join(bin_dir, program), `#!/bin/sh\necho "${program} (PostgreSQL) ${version}"\n`, { mode: 0o755 });
    return bin_dir;
  });
}

test('doctor names the folder of newer programs of the same major version', () => {
  const folders = install('18.9', '18.12', '19.1');
  expect(describeMachinePostgres('18.4', folders)).toEqual([
    {
      ...{ check: 'postgres', verdict: 'lacking' },
      detail: `this machine has PostgreSQL 18.12, newer than the 18.4 that runs: set POSTGRES_BIN to ${folders[1]}, and restart`,
    },
  ]);
});

test('doctor says nothing of programs that are as old, of another major version, or missing', () => {
  expect(describeMachinePostgres('18.4', [...install('18.4', '18.3', '17.9', '19beta1'), '/none'])).toEqual([]);
});
