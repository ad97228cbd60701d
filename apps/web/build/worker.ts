import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'vite';

/** No icons: the system stores those of an installed app, and a device that receives a push is online. */
const PRECACHED = /\.(m?js|css|html|woff2|wasm|svg|webmanifest)$/;
/** Loads of areas, and the screens of operators and of a center's staff: each step of them needs the server. */
const ONLINE_ONLY =
  /^assets\/(load-?area|area-?loads|setup|managed-?centers|(server|center)-?management|confirmed-?button|claim|poster|one-?time-?link|online-?content)/i;
/** The bundler puts a content hash into these names. */
const HASHED = /^assets\//;

/** Builds the worker into `dist`, with the list of files to precache. Returns their paths. */
export async function buildWorker(root: string, dist: string): Promise<string[]> {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && PRECACHED.test(entry.name))
    .map((entry) => relative(dist, join(entry.parentPath, entry.name)))
    .filter((path) => !ONLINE_ONLY.test(path))
    .sort();
  const entries = files.map((url) => (HASHED.test(url) ? url : { url, revision: hash(join(dist, url)) }));
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'error',
    define: { PRECACHE: JSON.stringify(entries) },
    build: {
      target: 'es2023',
      outDir: dist,
      emptyOutDir: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(root, 'src/sw/sw.ts'),
        output: { format: 'iife', entryFileNames: 'sw.js', codeSplitting: false },
      },
    },
  });
  return files;
}

function hash(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 16);
}
