import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildWorker } from './worker.ts';

const WORKER = 'self.lists = [PRECACHE, CODE_READER, SENDER]; self.version = VERSION; self.text = "Ready";';
const APP = {
  'index.html': '<p>Sendlap</p>',
  'assets/code-reader-11111111.js': '',
  'assets/zxing_reader-22222222.wasm': '',
};

/** Builds a worker with this source beside an app of these files. Returns its version. */
async function versionOf(worker: string, app: Record<string, string> = APP): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'sendlap-worker-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  write('src/sw/sw.ts', worker);
  write('src/shared/outbox/worker-client.ts', 'globalThis.sendOutbox = () => 1;');
  for (const [path, content] of Object.entries(app)) write(join('dist', path), content);
  await buildWorker(root, join(root, 'dist'));
  const [, version = ''] = /version=[`"']([\w-]{16})[`"']/.exec(readFileSync(join(root, 'dist/sw.js'), 'utf8')) ?? [];
  return version;
}

test('the version differs between builds that differ in any file, in the worker itself too', async () => {
  const version = await versionOf(WORKER);
  expect(version).toHaveLength(16);
  expect(await versionOf(WORKER)).toBe(version);
  expect(await versionOf(WORKER, { ...APP, 'index.html': '<p>Changed</p>' })).not.toBe(version);
  expect(await versionOf(WORKER.replace('Ready', 'Changed'))).not.toBe(version);
});
