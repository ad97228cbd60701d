import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { withoutErrors } from './leave-out-errors.ts';

const CONTRACT = fileURLToPath(new URL('../../../packages/contract/src/', import.meta.url));
const LISTED = /^\s+errors:/m;

test('no file of the contract keeps the codes of a call, however they are written', () => {
  const sources = globSync('**/*.ts', { cwd: CONTRACT })
    .filter((path) => !path.startsWith('wire/'))
    .map((path) => readFileSync(`${CONTRACT}${path}`, 'utf8'));
  expect(sources.filter((source) => LISTED.test(source)).length).toBeGreaterThan(10);
  expect(sources.filter((source) => LISTED.test(withoutErrors(source)))).toEqual([]);
});
