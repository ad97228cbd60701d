import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkDemoUser, DEMO_TRACES, SIGN_IN_TEXT } from './demo-user.ts';

const WEB = join(import.meta.dirname, '..');
let dist: string;

beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'sendlap-dist-'));
  mkdirSync(join(dist, 'assets'));
  writeFileSync(join(dist, 'index.html'), '<!doctype html>');
  writeFileSync(join(dist, 'assets/first-C28EdEMo.js'), `"${SIGN_IN_TEXT}"`);
});
afterEach(() => rmSync(dist, { recursive: true }));

test('a build without a trace of the demo user passes', () => {
  expect(() => checkDemoUser(dist)).not.toThrow();
});

test.each([
  ['js', 'demo@sendlap.test'],
  ['js', 'sendlap demo user'],
  ['html', 'VITE_DEMO_USER'],
  ['json', 'users create'],
  ['css', 'Demo user'],
])(
  'a build whose %s holds %j of the demo-user switch is refused [spec 2.demo.dev-only, 6.demo.bundle]',
  (kind, trace) => {
    writeFileSync(join(dist, `assets/late-B7PAp5jj.${kind}`), `a="${trace}"`);
    expect(() => checkDemoUser(dist)).toThrow(`late-B7PAp5jj.${kind} holds`);
  },
);

test('a build with a file that is named after the demo user is refused', () => {
  writeFileSync(join(dist, 'assets/DemoButton-B7PAp5jj.js'), '');
  expect(() => checkDemoUser(dist)).toThrow('DemoButton-B7PAp5jj.js is a file of the demo user');
});

test('a folder that holds no sign-in page is not taken for a build without traces', () => {
  writeFileSync(join(dist, 'assets/first-C28EdEMo.js'), '');
  expect(() => checkDemoUser(dist)).toThrow('holds no sign-in page');
});

test('the traces occur in the source, and the build of the web app checks for them', () => {
  const folder = join(WEB, 'src/features/auth');
  const names = readdirSync(folder).filter((name) => /(?<!\.test)\.tsx?$/.test(name));
  const source = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  for (const trace of DEMO_TRACES) expect(source.includes(trace), trace).toBe(true);
  expect(readFileSync(join(WEB, 'src/shared/i18n/en/auth.json'), 'utf8')).toContain(SIGN_IN_TEXT);
  expect(readFileSync(join(WEB, 'build.ts'), 'utf8')).toContain('\ncheckDemoUser(dist);\n');
});
