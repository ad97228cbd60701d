import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nameAt, nameFunctions } from './source-functions.ts';

test('A function has the name before its parameters, in each way to write one', () => {
  const written = [
    'function first(input) {',
    'export const second = (input) => input;',
    'const third = async (input) => input;',
    '  fourth: function (input) {',
    'export default async function fifth<Value>(input: Value) {',
  ];
  const at = (text: string) => nameAt(text, text.indexOf('(input'));
  expect(written.map(at)).toEqual(['first', 'second', 'third', 'fourth', 'fifth']);
  expect(nameAt('  return (input) => input;', 9)).toBeNull();
  expect(nameAt('export function sixth() {}', 0)).toBe('sixth');
});

test('Parts into which the build split one source function are added up under its name and file', async () => {
  const dist = await mkdtemp(join(tmpdir(), 'sendlap-names-'));
  try {
    const map = {
      version: 3,
      sources: ['../../apps/web/src/first.ts'],
      sourcesContent: ['const first = (input) => input;\n'],
      names: [],
      // Columns 0 and 8 of the built line come from column 14 of the first source line.
      mappings: 'AAAc,QAAA',
    };
    await writeFile(join(dist, 'built.js.map'), JSON.stringify(map));
    const one = { url: 'http://localhost/built.js', line: 0, column: 0, name: 'a', self_ms: 2 };
    const other = { ...one, url: 'http://localhost/without-map.js', name: '', self_ms: 4 };
    expect(nameFunctions([one, { ...one, column: 8, self_ms: 3 }, other], dist)).toEqual([
      { name: 'first', file: 'apps/web/src/first.ts', self_ms: 5 },
      { name: 'evaluation', file: 'without-map.js', self_ms: 4 },
    ]);
  } finally {
    await rm(dist, { recursive: true });
  }
});
