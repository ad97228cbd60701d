import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readFreeBytes } from './folder.ts';

test('the room for a file is that of the disk of the embedded database, if the file will be there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sendlap-room-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'not-yet', 'made', 'daily.sendlap');
  expect(await readFreeBytes({ DATA_DIR: folder }, file)).toBeGreaterThan(0);
  expect(await readFreeBytes({ DATA_DIR: folder }, '/dev/daily.sendlap')).toBe(null);
  expect(await readFreeBytes({ DATA_DIR: folder, DATABASE_URL: 'postgres://db/sendlap' }, file)).toBe(null);
});
