import { expect, test } from 'vitest';
import { hintCompilation, RUN_AT_START } from './compile-hint.ts';

/** Returns the code of each chunk and the text of each source map after the plugin, by the name of the file. */
function hint(names: Iterable<string>): Record<string, string> {
  const chunks = [...names].flatMap((name) => [
    [`${name}.js`, { type: 'chunk', name, fileName: `${name}.js`, code: `run('${name}')` }],
    [`${name}.js.map`, { type: 'asset', source: '{"version":3,"mappings":"AAAc,QAAA"}' }],
  ]);
  const { generateBundle } = hintCompilation();
  if (typeof generateBundle !== 'object') throw new Error('the plugin has no order');
  const handler = generateBundle.handler as (this: object, options: object, bundle: object) => void;
  const bundle = Object.fromEntries(chunks) as Record<string, { code?: string; source?: string }>;
  const error = (text: string) => {
    throw new Error(text);
  };
  handler.call({ error }, {}, bundle);
  return Object.fromEntries(Object.entries(bundle).map(([file, { code, source }]) => [file, code ?? source ?? '']));
}

test('the hint is the first line of each chunk that a start runs, and of no other', () => {
  const files = hint([...RUN_AT_START, 'map']);
  expect(files['home.js']).toBe("//# allFunctionsCalledOnLoad\nrun('home')");
  expect(files['map.js']).toBe("run('map')");
});

test('the source map of a chunk with the hint begins one line later', () => {
  const files = hint([...RUN_AT_START, 'map']);
  expect(files['home.js.map']).toBe('{"version":3,"mappings":";AAAc,QAAA"}');
  expect(files['map.js.map']).toBe('{"version":3,"mappings":"AAAc,QAAA"}');
});

test('a build without a chunk that a start runs fails', () => {
  const others = [...RUN_AT_START].filter((name) => name !== 'home');
  expect(() => hint(others)).toThrow('no chunk is named home');
});
