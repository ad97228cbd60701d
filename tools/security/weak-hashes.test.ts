import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../project/project.ts';

/** A hash that is too weak for a secret or a signature, as a name in the code. */
const WEAK = /['"`]?\b(?:md[245]|sha-?1|ripemd160)\b['"`(]/gi;

/** Marks of copies in caches and of cursors: nothing is proven by them. How often each file names one. */
const ALLOWED = {
  'apps/api/src/modules/sport-centers/cursor.ts': 1,
  'apps/api/src/modules/sport-centers/routes.ts': 2,
};

function countWeak(source: string): number {
  return source.match(WEAK)?.length ?? 0;
}

test.each(["hash('md5', text)", "createHash('sha1')", "digest('SHA-1', bytes)", 'select md5(name)'])(
  'a weak hash is found: %s',
  (source) => {
    expect(countWeak(source)).toBe(1);
  },
);

test('MD5 and SHA-1 occur only as marks of copies in caches and of cursors', () => {
  const paths = globSync(['apps/*/{src,build}/**/*.{ts,tsx,sql}', 'packages/*/src/**/*.ts'], { cwd: ROOT });
  const sources = paths.filter((path) => !/\.test\.tsx?$/.test(path) && !path.includes('node_modules'));
  expect(sources.length).toBeGreaterThan(500);
  const counts = sources.map((path) => [path, countWeak(readFileSync(join(ROOT, path), 'utf8'))] as const);
  expect(Object.fromEntries(counts.filter(([, count]) => count > 0))).toEqual(ALLOWED);
});
