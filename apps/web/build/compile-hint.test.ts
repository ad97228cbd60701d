import { expect, test } from 'vitest';
import { CHUNKS } from './chunks.ts';
import { hintCompilation, RUN_AT_START } from './compile-hint.ts';

/** Returns the code of each chunk after the plugin, by the chunk's name. */
function hint(names: string[]): Record<string, string> {
  const chunks = names.map((name) => ({ type: 'chunk', name, code: `run('${name}')` }));
  const { generateBundle } = hintCompilation();
  if (typeof generateBundle !== 'object') throw new Error('the plugin has no order');
  const handler = generateBundle.handler as (options: object, bundle: object) => void;
  handler({}, Object.fromEntries(chunks.map((chunk) => [chunk.name, chunk])));
  return Object.fromEntries(chunks.map(({ name, code }) => [name, code]));
}

test('the hint is the first line of each chunk that a start runs, and of no other', () => {
  const { home, map } = hint(['home', 'map']);
  expect(home).toBe("//# allFunctionsCalledOnLoad\nrun('home')");
  expect(map).toBe("run('map')");
});

test('each chunk with the hint is one of the app', () => {
  // The entry has the name of its page.
  const names = ['index', ...CHUNKS.map(({ name }) => name)];
  expect([...RUN_AT_START].filter((name) => !names.includes(name))).toEqual([]);
});
