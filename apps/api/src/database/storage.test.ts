import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEnv } from '#api/platform/env.ts';
import { createLogger } from '#api/platform/logger.ts';
import { describeNewDatabase, openStorage } from './storage.ts';

const open = (settings: NodeJS.ProcessEnv) => openStorage(readEnv(settings), createLogger('silent', false));

test('a database without the secret that goes with it is refused with one line', async () => {
  const refusal = open({ DATABASE_URL: 'postgres://localhost/x' });
  await expect(refusal).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(/^SECRET: [^\n]+$/),
  });
});

test('data whose secret is lost is refused with one line, and the disk is not changed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sendlap-storage-'));
  try {
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '18\n');
    const refusal = open({ DATA_DIR: folder });
    await expect(refusal).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/^The secret \S+ is gone[^\n]+$/),
    });
    const files = readdirSync(folder, { recursive: true }).map(String);
    expect(files.sort()).toEqual(['postgres', join('postgres', 'PG_VERSION')]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a command without the settings of the server warns that it creates a database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sendlap-storage-'));
  const describe = (settings: NodeJS.ProcessEnv) => describeNewDatabase(readEnv(settings));
  try {
    expect(describe({ DATA_DIR: folder })).toMatch(/^DATA_DIR \S+: here is no database yet[^\n]+$/);
    expect(describe({ DATA_DIR: folder, DATABASE_URL: 'postgres://localhost/x' })).toBe(undefined);
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '18\n');
    expect(describe({ DATA_DIR: folder })).toBe(undefined);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
