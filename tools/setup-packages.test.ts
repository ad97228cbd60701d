import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './project/project.ts';

/** Plays npm: appends its arguments to a file, and installs nothing. */
const FAKE_NPM = `
const { appendFileSync, mkdirSync } = require('node:fs');
mkdirSync('node_modules', { recursive: true });
appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n');
`;
const SOURCES = 'apps/web/src/app.ts';
const BUILD = 'apps/web/dist/.build-hash';
const PAGE = 'apps/web/dist/index.html';

/** A tree with these files. Returns its folder and how to run its set-up before a script, which returns npm's calls so far. */
function makeTree(...files: string[]) {
  const root = mkdtempSync(join(tmpdir(), 'sendlap-setup-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const path of ['tools/setup.mjs', 'package-lock.json', 'calls', ...files]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
  copyFileSync(join(ROOT, 'tools/setup.mjs'), join(root, 'tools/setup.mjs'));
  const npm = join(root, 'npm.cjs');
  writeFileSync(npm, FAKE_NPM);
  const run = (event: string, NODE_ENV = '') => {
    const own = { npm_execpath: npm, npm_node_execpath: process.execPath, npm_lifecycle_event: event, NODE_ENV };
    const { status, stderr } = spawnSync(process.execPath, ['tools/setup.mjs'], {
      cwd: root,
      env: { ...process.env, ...own },
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    return readFileSync(join(root, 'calls'), 'utf8')
      .split('\n')
      .filter((call) => call !== '')
      .map((call) => (call.includes('--omit=dev') ? 'server' : call.includes('--include=dev') ? 'all' : call));
  };
  return { root, run };
}

test.each([
  ['a release', 'prestart', '', [PAGE], 'server'],
  ['a release', 'presendlap', 'production', [PAGE], 'server'],
  ['a built clone', 'prestart', 'production', [SOURCES, PAGE, BUILD], 'server'],
  ['a built clone', 'prestart', '', [SOURCES, PAGE, BUILD], 'all'],
  ['a built clone', 'pretest', 'production', [SOURCES, PAGE, BUILD], 'all'],
  ['a clone without a build, which has to build', 'prestart', 'production', [SOURCES], 'all'],
])('%s installs before %s with NODE_ENV=%s: %s → %s', (_tree, event, node_env, files, expected) => {
  expect(makeTree(...files).run(event, node_env)).toEqual([expected]);
});

test('Production uses an installation for development; development does not use one of the server alone', () => {
  const { run: setUp } = makeTree(SOURCES, PAGE, BUILD);
  expect(setUp('prestart', 'production')).toEqual(['server']);
  expect(setUp('prestart', 'production')).toEqual(['server']);
  expect(setUp('pretest')).toEqual(['server', 'all']);
  expect(setUp('prestart', 'production')).toEqual(['server', 'all']);
});

test.each(['node', 'node-bin'])('the Node in %s-… is linked if npm did not link it', (prefix) => {
  const { root, run } = makeTree(PAGE);
  const own = `${prefix}-${process.platform}-${process.arch}/bin/node`;
  mkdirSync(join(root, 'node_modules', dirname(own)), { recursive: true });
  symlinkSync(process.execPath, join(root, 'node_modules', own));
  run('prestart');
  expect(readlinkSync(join(root, 'node_modules/.bin/node'))).toBe(`../${own}`);
});
