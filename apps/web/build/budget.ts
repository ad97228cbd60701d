import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from 'vite';
import type { Precached } from './worker.ts';

/** KB = 1,000 bytes as transferred (brotli where the server sends brotli). */
const FIRST_ROUTE_MAX_KB = 90;
const PRECACHE_MAX_KB = 1000;
/** Without the code reader. A first visit also asks for the page, the worker and some data. */
const PRECACHE_MAX_FILES = 50;
const WORKER_MAX_KB = 12;
const SENDER_MAX_KB = 25;

/** Prints the size of the first route and of the precached files. Returns true if one is over its budget. */
export function checkBudget(dist: string, { files, code_reader, sender }: Precached): boolean {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;
  const scripts = firstScripts(dist, manifest);
  const styles = linkedFiles(dist, 'css');
  const first = sum(dist, ['boot.js', ...scripts]);
  const precache = sum(dist, files);
  const worker = sum(dist, ['sw.js']);
  const outbox_sender = sum(dist, [sender]);

  print('first route, JavaScript', first, FIRST_ROUTE_MAX_KB);
  print('first route, CSS', sum(dist, styles));
  print('index.html', sum(dist, ['index.html']));
  print(
    'fonts',
    sum(
      dist,
      files.filter((file) => file.endsWith('.woff2')),
    ),
  );
  print('worker', worker, WORKER_MAX_KB);
  print('outbox sender', outbox_sender, SENDER_MAX_KB);
  print('code reader', sum(dist, code_reader));
  print(`precache, ${files.length} files`, precache, PRECACHE_MAX_KB);
  if (files.length > PRECACHE_MAX_FILES) console.log(`precache: more than ${PRECACHE_MAX_FILES} files, OVER BUDGET`);
  return (
    first > FIRST_ROUTE_MAX_KB ||
    worker > WORKER_MAX_KB ||
    outbox_sender > SENDER_MAX_KB ||
    precache > PRECACHE_MAX_KB ||
    files.length > PRECACHE_MAX_FILES
  );
}

/** The files of a kind that index.html links directly. */
function linkedFiles(dist: string, extension: string): string[] {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  return [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)]
    .map(([, file]) => file ?? '')
    .filter((file) => file.endsWith(`.${extension}`));
}

/** The page's scripts with all their static imports. The sign-in page is part of them. */
function firstScripts(dist: string, manifest: Manifest): string[] {
  const chunks = new Map(Object.values(manifest).map((chunk) => [chunk.file, chunk]));
  const found = new Set<string>();
  const visit = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    for (const imported of chunks.get(file)?.imports ?? []) visit(manifest[imported]?.file ?? '');
  };
  for (const file of linkedFiles(dist, 'js')) visit(file);
  if (found.size === 0) throw new Error('index.html asks for no script');
  return [...found];
}

function sum(dist: string, files: string[]): number {
  const bytes = files.map((file) => {
    const path = join(dist, file);
    return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;
  });
  return bytes.reduce((total, size) => total + size, 0) / 1000;
}

function print(what: string, kb: number, max_kb?: number): void {
  const limit = max_kb === undefined ? '' : ` of ${max_kb} KB${kb > max_kb ? ', OVER BUDGET' : ''}`;
  console.log(`${what.padEnd(28)}${kb.toFixed(1).padStart(8)} KB${limit}`);
}
