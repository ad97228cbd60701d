import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { isAuthPath, isCallbackPath, isKioskPath, PATHS } from '#web/shared/paths.ts';

const SOURCE = readFileSync(new URL('../../../public/boot.js', import.meta.url), 'utf8');

/** Runs boot.js on a page at this address and returns the shell that it chooses. */
function readShell(pathname: string, stored: Record<string, string>): unknown {
  const dataset: Record<string, string> = {};
  runInNewContext(SOURCE, {
    document: { documentElement: { dataset } },
    location: { pathname },
    localStorage: { getItem: (key: string) => stored[key] ?? null },
    navigator: { languages: ['en'] },
  });
  return dataset.shell;
}

function expectedShell(path: string): string {
  if (isCallbackPath(path) || isKioskPath(path)) return 'none';
  return isAuthPath(path) ? 'sign-in' : 'app';
}

test.each(Object.values(PATHS))('%s shows a signed-in user the shell of its kind of page', (path) => {
  expect(readShell(path, { 'signed-in': '1' })).toBe(expectedShell(path));
});

test.each(Object.values(PATHS))('%s never shows a visitor the shell of the app', (path) => {
  expect(readShell(path, {})).toBe(expectedShell(path).replace('app', 'sign-in'));
});
