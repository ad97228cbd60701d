import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { resolveWorkerImports } from './import-map.ts';
import { injectShell } from './shell.ts';
import { buildWorker, type Precached } from './worker.ts';

const ROOT = join(import.meta.dirname, '..');
const CONFIG_FILE = join(ROOT, 'vite.config.ts');
const SHELL = join(ROOT, '../../.cache/web-shell');

/** Builds the app and its worker into `dist`. Returns the files that the worker precaches. */
export async function buildApp(dist: string, plugins: Plugin[] = []): Promise<Precached> {
  process.env.NODE_ENV = 'production';
  const shell = injectShell(await prerenderShell());
  await build({
    configFile: CONFIG_FILE,
    logLevel: 'error',
    plugins: [shell, ...plugins],
    build: { outDir: dist, emptyOutDir: true },
  });
  resolveWorkerImports(dist);
  return buildWorker(ROOT, dist);
}

/** Returns the shell as HTML, rendered by the components that the app is made of. */
async function prerenderShell(): Promise<string> {
  await build({
    configFile: CONFIG_FILE,
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: join(ROOT, 'src/app/shell/prerender.tsx'),
      outDir: SHELL,
      emptyOutDir: true,
      manifest: false,
      chunkImportMap: false,
      rollupOptions: { output: { entryFileNames: 'prerender.js' } },
    },
    ssr: { noExternal: true },
  });
  const { renderShell } = (await import(join(SHELL, 'prerender.js'))) as { renderShell: () => string };
  return renderShell();
}
