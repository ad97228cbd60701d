import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'vite';

/** No icons: the system stores those of an installed app, and a device that receives a push is online. */
const PRECACHED = /\.(m?js|css|html|woff2|wasm|svg|webmanifest)$/;
/** Loads of areas, and the screens of operators and of a center's staff: each step of them needs the server. */
const ONLINE_ONLY =
  /^assets\/(texts-(en|es)-)?(load-?area|area-?loads|setup|managed-?centers|(server|center)-?management|confirmed-?button|claim|poster|one-?time-?link|online-?content)/i;
/** Reads QR codes where the browser cannot: the worker precaches it only there. */
const CODE_READER = /^assets\/(code-reader|zxing_reader)-/;
/** The bundler puts a content hash into these names. */
const HASHED = /^assets\//;

/** Paths in `dist`. */
export interface Precached {
  /** Precached in every browser. */
  files: string[];
  /** Precached where the browser cannot read QR codes by itself. */
  code_reader: string[];
  /** `files` in the form of the worker's list. */
  entries: (string | { url: string; revision: string })[];
}

/** `path`: of a file in `dist`. */
export function isPrecached(path: string): boolean {
  return PRECACHED.test(path) && !ONLINE_ONLY.test(path);
}

/** Builds the worker into `dist`, with the list of files to precache. */
export async function buildWorker(root: string, dist: string): Promise<Precached> {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dist, join(entry.parentPath, entry.name)))
    .filter(isPrecached)
    .sort();
  const code_reader = files.filter((path) => CODE_READER.test(path));
  if (code_reader.length !== 2) throw new Error(`the code reader is ${code_reader.join(', ') || 'missing'}`);
  const app = files.filter((path) => !CODE_READER.test(path));
  const entries = app.map((url) => (HASHED.test(url) ? url : { url, revision: hash(readFileSync(join(dist, url))) }));
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'error',
    define: {
      PRECACHE: JSON.stringify(entries),
      CODE_READER: JSON.stringify(code_reader),
      VERSION: JSON.stringify(hash(JSON.stringify([entries, code_reader]))),
    },
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
  return { files: app, code_reader, entries };
}

function hash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 16);
}
