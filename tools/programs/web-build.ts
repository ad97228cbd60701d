import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { buildApp } from '../../apps/web/build/app.ts';
import type { Precached } from '../../apps/web/build/worker.ts';

type Plugin = NonNullable<Parameters<typeof buildApp>[1]>[number];

const HASH = /-[\w-]{8}(?=\.\w+$)/;
/** The package or the source folder that a module belongs to. */
const ORIGIN = /node_modules\/((?:@[^/]+\/)?[^/]+)|web\/(src(?:\/[^/]+){1,2})(?=\/)|(packages\/[^/]+)/;
const TOP = 3;

/** Bytes of a file: as stored, with gzip, and with brotli, as browsers get it. */
export interface Size {
  raw: number;
  gzip: number;
  brotli: number;
}

/** A build of the web app. */
export interface WebBuild extends Precached {
  /** The sizes of the precached files, of the code reader and of the worker, by path. */
  sizes: ReadonlyMap<string, Size>;
  /** Returns the three packages or source folders with the most code in a file. */
  largestOrigins(file: string): string;
}

/** Builds the app as `npm run build` does, without its checks. */
export async function buildWeb(dist: string, plugins: Plugin[] = []): Promise<WebBuild> {
  const contents = new Map<string, string>();
  const precached = await buildApp(dist, [...plugins, recordContents(contents)]);
  const sizes = new Map<string, Size>();
  for (const file of [...precached.files, ...precached.code_reader, 'sw.js'])
    sizes.set(file, measure(await readFile(join(dist, file))));
  return { ...precached, sizes, largestOrigins: (file) => contents.get(file.replace(HASH, '')) ?? '' };
}

/** The total size of these files of a build. */
export function sumSizes({ sizes }: WebBuild, files: readonly string[]): Size {
  const sum = { raw: 0, gzip: 0, brotli: 0 };
  for (const file of files) {
    const size = sizes.get(file);
    if (size === undefined) throw new Error(`${file} was not measured`);
    for (const kind of ['raw', 'gzip', 'brotli'] as const) sum[kind] += size[kind];
  }
  return sum;
}

/** What a device that has one build downloads for another: the worker, and each precached file with another name or content. */
export function listUpdate(before: WebBuild, after: WebBuild): string[] {
  const known = new Set(before.entries.map((entry) => JSON.stringify(entry)));
  const changed = after.entries.filter((entry) => !known.has(JSON.stringify(entry)));
  const files = changed.map((entry) => (typeof entry === 'string' ? entry : entry.url));
  return files.length > 0 ? ['sw.js', ...files] : [];
}

/** Replaces the source of these files, by the end of their path. */
export function changeSources(changes: Record<string, (source: string) => string>): Plugin {
  return {
    name: 'change-sources',
    enforce: 'pre',
    async load(id) {
      const [path = id] = id.split('?');
      const change = Object.entries(changes).find(([end]) => path.endsWith(end))?.[1];
      return change ? change(await readFile(path, 'utf8')) : null;
    },
  };
}

/** Writes source maps beside the built files; the files themselves stay the same, without `sourceMappingURL`. */
export const mapSources: Plugin = { name: 'map-sources', config: () => ({ build: { sourcemap: 'hidden' } }) };

/** A file that compression makes larger counts with its raw size: it is compressed already. */
function measure(content: Buffer): Size {
  const raw = content.length;
  const gzip = Math.min(raw, gzipSync(content, { level: 9 }).length);
  return { raw, gzip, brotli: Math.min(raw, brotliCompressSync(content).length) };
}

function recordContents(contents: Map<string, string>): Plugin {
  return {
    name: 'record-contents',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const sizes = new Map<string, number>();
        for (const [id, { renderedLength }] of Object.entries(chunk.modules)) {
          const origin = ORIGIN.exec(id)?.slice(1).find(Boolean) ?? 'src';
          sizes.set(origin, (sizes.get(origin) ?? 0) + renderedLength);
        }
        const largest = [...sizes].sort(([, a], [, b]) => b - a).slice(0, TOP);
        contents.set(chunk.fileName.replace(HASH, ''), largest.map(([origin]) => origin).join(', '));
      }
    },
  };
}
