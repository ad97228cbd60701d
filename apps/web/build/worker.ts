import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'vite';
import { leaveOutServerFacts } from './leave-out-server-facts.ts';

/** No icons: the system stores those of an installed app, and a device that receives a push is online. */
const PRECACHED = /\.(m?js|css|html|woff2|wasm|svg|webmanifest)$/;
/** Loads of areas, and the screens of operators and of a center's staff: each step of them needs the server. */
const ONLINE_ONLY =
  /^assets\/(texts-(en|es)-)?(load-?area|area-?loads|setup|managed-?centers|(server|center)-?management|confirmed-?button|claim|poster|one-?time-?link|online-?content)/i;
/** Reads QR codes where the browser cannot: the worker precaches it only there. */
const CODE_READER = /^assets\/(code-reader|zxing_reader)-/;
const SENDER = /^assets\/outbox-sender-/;
/** The bundler puts a content hash into these names. */
const HASHED = /^assets\//;
/** Placeholder of the version while the worker's script is built. */
const VERSION_MARK = 'sendlap-version!';

/** Paths in `dist`. */
export interface Precached {
  /** Precached in every browser. */
  files: string[];
  /** Precached where the browser cannot read QR codes by itself. */
  code_reader: string[];
  /** The script with which the worker sends the outbox; one of `files`. */
  sender: string;
  /** `files` in the form of the worker's list. */
  entries: (string | { url: string; revision: string })[];
}

/** `path`: of a file in `dist`. */
export function isPrecached(path: string): boolean {
  return PRECACHED.test(path) && !ONLINE_ONLY.test(path);
}

/** Builds the worker into `dist`, with its sender and the list of files to precache. */
export async function buildWorker(root: string, dist: string): Promise<Precached> {
  await buildScript({
    root,
    dist,
    input: 'src/shared/outbox/worker-client.ts',
    output: 'assets/outbox-sender-[hash].js',
  });
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dist, join(entry.parentPath, entry.name)))
    .filter(isPrecached)
    .sort();
  const code_reader = files.filter((path) => CODE_READER.test(path));
  if (code_reader.length !== 2) throw new Error(`the code reader is ${code_reader.join(', ') || 'missing'}`);
  const sender = files.find((path) => SENDER.test(path));
  if (!sender) throw new Error('the sender is missing');
  const app = files.filter((path) => !CODE_READER.test(path));
  const entries = app.map((url) => (HASHED.test(url) ? url : { url, revision: hash(readFileSync(join(dist, url))) }));
  await buildScript({
    root,
    dist,
    input: 'src/sw/sw.ts',
    output: 'sw.js',
    define: {
      PRECACHE: JSON.stringify(entries),
      CODE_READER: JSON.stringify(code_reader),
      SENDER: JSON.stringify(`/${sender}`),
      VERSION: JSON.stringify(VERSION_MARK),
    },
  });
  nameVersion(join(dist, 'sw.js'));
  return { files: app, code_reader, sender, entries };
}

/**
 * The version is a hash of the whole script: of the files that it lists, and of the worker's own code. A user who
 * postponed one version is so offered the next one, even if only the worker differs.
 */
function nameVersion(path: string): void {
  const script = readFileSync(path, 'utf8');
  if (!script.includes(VERSION_MARK)) throw new Error('the worker names no version');
  writeFileSync(path, script.replaceAll(VERSION_MARK, hash(script)));
}

interface Script {
  root: string;
  dist: string;
  /** In `root`. */
  input: string;
  /** In `dist`. */
  output: string;
  define?: Record<string, string>;
}

/** Builds a script without imports, as workers that are no modules need it. */
async function buildScript({ root, dist, input, output, define = {} }: Script): Promise<void> {
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'error',
    define,
    plugins: [leaveOutServerFacts()],
    build: {
      target: 'es2023',
      outDir: dist,
      emptyOutDir: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(root, input),
        output: { format: 'iife', entryFileNames: output, codeSplitting: false },
      },
    },
  });
}

function hash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 16);
}
