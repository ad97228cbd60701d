import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../project/project.ts';

/** Sources of the server, without tests. */
const sources = globSync('apps/api/src/**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(ROOT, path), 'utf8'));

/** Rows of the table "Keys" of SECURITY.md. */
const rows = (/^## Keys\n([\s\S]*?)^## /m.exec(readFileSync(join(ROOT, 'SECURITY.md'), 'utf8'))?.[1] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, , algorithm = '', , , purposes = '']) => ({ algorithm, purposes: codesOf(purposes) }));

function codesOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** Returns the first group of each match in the sources. */
function findAll(pattern: RegExp): string[] {
  return sources.flatMap((source) => [...source.matchAll(pattern)].map(([, found = '']) => found));
}

/** The value of a text or of a constant. */
function readConstant(expression: string): string {
  if (expression.startsWith("'")) return expression.slice(1, -1);
  const [value = expression] = new Set(findAll(new RegExp(`const ${expression} = '([^']+)'`, 'g')));
  return value;
}

const derived = findAll(/\bderive\(['`]([^'`$]+?) ?(?:['`]|\$\{)/g);
const KEYS_OF_THE_DATABASE = /loadSigningKeys\(\{[^}]*purpose: ([^,]+), alg: (\w+) \}/g;
const signing = sources.flatMap((source) =>
  [...source.matchAll(KEYS_OF_THE_DATABASE)].map(([, purpose = '', alg = '']) => ({
    purpose: readConstant(purpose),
    // Each file names its own algorithm.
    alg: new RegExp(`const ${alg} = '([^']+)'`).exec(source)?.[1] ?? readConstant(alg),
  })),
);

test('SECURITY.md lists each purpose for which the server derives or stores a key, and no other', () => {
  expect(derived.length).toBeGreaterThan(5);
  const purposes = [...derived, ...signing.map(({ purpose }) => purpose)];
  expect(rows.flatMap((row) => row.purposes).sort()).toEqual(purposes.sort());
});

test('SECURITY.md says by which algorithm each key of the database signs: ES256 or EdDSA', () => {
  expect(signing).toHaveLength(3);
  for (const { purpose, alg } of signing) {
    expect(['ES256', 'EdDSA']).toContain(alg);
    expect(rows.find(({ purposes }) => purposes.includes(purpose))?.algorithm).toContain(alg);
  }
});
