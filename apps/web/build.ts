import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { checkBudget } from './build/budget.ts';
import { compressFiles } from './build/compress.ts';
import { checkDemoUser } from './build/demo-user.ts';
import { checkInline } from './build/inline.ts';
import { injectShell } from './build/shell.ts';
import { buildWorker } from './build/worker.ts';

const root = import.meta.dirname;
const configFile = join(root, 'vite.config.ts');
const dist = join(root, 'dist');
const prerendered = join(root, '../../.cache/web-shell');

process.env.NODE_ENV = 'production';

// 1. The shell as HTML, by the same components that the app is made of.
await build({
  configFile,
  logLevel: 'error',
  publicDir: false,
  build: {
    ssr: join(root, 'src/app/shell/prerender.tsx'),
    outDir: prerendered,
    emptyOutDir: true,
    manifest: false,
    rollupOptions: { output: { entryFileNames: 'prerender.js' } },
  },
  ssr: { noExternal: true },
});
const { renderShell } = (await import(join(prerendered, 'prerender.js'))) as { renderShell: () => string };

// 2. The app, then its worker with the list of the app's files.
await build({ configFile, logLevel: 'error', plugins: [injectShell(renderShell())] });
const precached = await buildWorker(root, dist);

// 3. What no build may hold, what the server sends compressed, and what all that weighs.
checkInline(join(dist, 'index.html'));
checkDemoUser(dist);
compressFiles(dist);
const over = checkBudget(dist, precached);
rmSync(join(dist, '.vite'), { recursive: true });
process.exitCode = over ? 1 : 0;
