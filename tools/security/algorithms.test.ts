import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../project/project.ts';

const sources = globSync(['apps/*/{src,build}/**/*.{ts,tsx,sql}', 'packages/*/src/**/*.ts'], { cwd: ROOT })
  .filter((path) => !/\.test\.tsx?$/.test(path) && !path.includes('node_modules'))
  .map((path) => ({ path, source: readFileSync(join(ROOT, path), 'utf8') }));

/** A hash that is too weak for a secret or a signature, as a name in the code. */
const WEAK_HASH = /['"`]?\b(?:md[245]|sha-?1|ripemd160)\b['"`(]/gi;
const CIPHER =
  /['"`]((?:aes-?\d*-?(?:[a-z]{3}\d*)|des-?(?:3|ede\d?|[ceo][bf][bc])[\w-]*|rc[24][\w-]*|(?:bf|blowfish|cast5?|chacha20)-[\w-]+))['"`]/gi;

/** Marks of copies in caches and of cursors: nothing is proven by them. How often each file names one. */
const MARKS_BY_MD5 = {
  'apps/api/src/modules/sport-centers/cursor.ts': 1,
  'apps/api/src/modules/sport-centers/routes.ts': 2,
};

function countWeakHashes(source: string): number {
  return source.match(WEAK_HASH)?.length ?? 0;
}

function findCiphers(source: string): string[] {
  return [...source.matchAll(CIPHER)].map(([, cipher = '']) => cipher);
}

test.each(["hash('md5', text)", "createHash('sha1')", "digest('SHA-1', bytes)", 'select md5(name)'])(
  'a weak hash is found: %s',
  (source) => {
    expect(countWeakHashes(source)).toBe(1);
  },
);

test.each(['aes-256-cbc', 'AES-CBC', 'des-ede3', 'rc4'])('a cipher is found: %s', (cipher) => {
  expect(findCiphers(`createCipheriv('${cipher}', key, nonce)`)).toEqual([cipher]);
});

test('MD5 and SHA-1 occur only as marks of copies in caches and of cursors', () => {
  expect(sources.length).toBeGreaterThan(500);
  const counts = sources.map(({ path, source }) => [path, countWeakHashes(source)] as const);
  expect(Object.fromEntries(counts.filter(([, count]) => count > 0))).toEqual(MARKS_BY_MD5);
});

test('the only cipher is AES with GCM, as in pushes by RFC 8291', () => {
  expect([...new Set(sources.flatMap(({ source }) => findCiphers(source)))].sort()).toEqual([
    'AES-GCM',
    'aes-256-gcm',
    'aes128gcm',
  ]);
});
