import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resolveWorkerImports } from './import-map.ts';

/** A build of a page, of the map's worker, and of a chunk that both import. */
const FILES = {
  'page-aaaaaaaa.js': 'import{a}from"./map-shared-11111111.js";',
  'map-worker-bbbbbbbb.js': 'import"./map-shared-11111111.js";',
  'map-shared-cccccccc.js': 'import{r}from"./runtime-22222222.js";export{r as a}',
  'runtime-dddddddd.js': 'export let r=1',
};
const IMPORTS = {
  '/assets/page-00000000.js': '/assets/page-aaaaaaaa.js',
  '/assets/map-worker-33333333.js': '/assets/map-worker-bbbbbbbb.js',
  '/assets/map-shared-11111111.js': '/assets/map-shared-cccccccc.js',
  '/assets/runtime-22222222.js': '/assets/runtime-dddddddd.js',
};

function build(runtime = 'runtime-dddddddd.js') {
  const dist = mkdtempSync(join(tmpdir(), 'sendlap-dist-'));
  onTestFinished(() => rmSync(dist, { recursive: true }));
  mkdirSync(join(dist, 'assets'));
  for (const [name, code] of Object.entries(FILES))
    writeFileSync(join(dist, 'assets', name === 'runtime-dddddddd.js' ? runtime : name), code);
  const imports = { ...IMPORTS, '/assets/runtime-22222222.js': `/assets/${runtime}` };
  writeFileSync(join(dist, 'index.html'), `<script type="importmap">${JSON.stringify({ imports })}</script>`);
  writeFileSync(join(dist, 'importmap.json'), JSON.stringify({ imports }));
  resolveWorkerImports(dist);
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const found = JSON.parse(/importmap">(.*)<\/script>/.exec(html)?.[1] ?? '') as { imports: Record<string, string> };
  const read = (file: string) => readFileSync(join(dist, file), 'utf8');
  return { imports: found.imports, names: readdirSync(join(dist, 'assets')), pages: readdirSync(dist), read };
}

test('a worker, which has no import map, imports files by their own names', () => {
  const { imports, names, read } = build();
  const { '/assets/map-worker-33333333.js': worker = '', '/assets/map-shared-11111111.js': shared = '' } = imports;
  expect(read(worker)).toBe(`import".${shared.slice('/assets'.length)}";`);
  expect(read(shared)).toBe('import{r}from"./runtime-dddddddd.js";export{r as a}');
  expect(read('assets/page-aaaaaaaa.js')).toBe(FILES['page-aaaaaaaa.js']);
  expect(Object.values(imports).toSorted()).toEqual(names.map((name) => `/assets/${name}`).toSorted());
});

test('a worker has another name once a file that it imports has another name', () => {
  const [before, after] = [build(), build('runtime-eeeeeeee.js')];
  const changed = Object.keys(IMPORTS).filter((address) => before.imports[address] !== after.imports[address]);
  expect(changed).toEqual(Object.keys(IMPORTS).slice(1));
});

test('no list of names remains beside that of the page', () => {
  expect(build().pages.toSorted()).toEqual(['assets', 'index.html']);
});
