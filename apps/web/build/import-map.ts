import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const IMPORT_MAP = /<script type="importmap">(.*?)<\/script>/s;
const MAP_WORKER = /^\/assets\/map-worker-/;
/** An import of another chunk in minified code. */
const IMPORT = /(?<=["'`])\.(\/[\w~.-]+\.js)(?=["'`])/g;
const HASH = /-[\w-]{8}\.js$/;

/** By the address that other chunks import: the address of the chunk's file, whose name depends on its content. */
type ImportMap = Record<string, string>;

function readImportMap(dist: string): ImportMap {
  const [, json] = IMPORT_MAP.exec(readFileSync(join(dist, 'index.html'), 'utf8')) ?? [];
  if (json === undefined) throw new Error('index.html holds no import map');
  return (JSON.parse(json) as { imports: ImportMap }).imports;
}

/**
 * A worker has no import map: in the worker that draws maps, and in the chunks that it imports, names the files
 * themselves. As this changes their content, they get new names, too.
 */
export function resolveWorkerImports(dist: string): void {
  const imports = readImportMap(dist);
  const worker = Object.keys(imports).find((address) => MAP_WORKER.test(address));
  if (worker === undefined) throw new Error('the import map names no worker of the map');
  resolveImports(dist, imports, worker);
  const page = join(dist, 'index.html');
  const html = readFileSync(page, 'utf8');
  const script = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  writeFileSync(
    page,
    html.replace(IMPORT_MAP, () => script),
  );
  // The bundler's copy of the import map is out of date now.
  rmSync(join(dist, 'importmap.json'), { force: true });
}

/**
 * Puts the names of files into a chunk and all chunks that it imports, and updates `imports`. Returns the name of the
 * chunk's file, with a slash before it. Chunks that import each other cannot be named after their content.
 */
function resolveImports(dist: string, imports: ImportMap, address: string): string {
  const file = imports[address] ?? address;
  const code = readFileSync(join(dist, file), 'utf8');
  const resolved = code.replace(IMPORT, (_, name: string) => `.${resolveImports(dist, imports, `/assets${name}`)}`);
  if (resolved === code) return file.slice('/assets'.length);
  const hash = createHash('sha256').update(resolved).digest('base64url').slice(0, 8);
  const renamed = file.replace(HASH, `-${hash}.js`);
  rmSync(join(dist, file));
  writeFileSync(join(dist, renamed), resolved);
  imports[address] = renamed;
  return renamed.slice('/assets'.length);
}
