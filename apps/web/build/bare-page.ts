import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

const ENTRY = 'virtual:bare-page';
const SCRIPT = `
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
createRoot(document.getElementById('root')).render(createElement('h1', null, 'Hello'));
void navigator.serviceWorker.register('/sw.js');
`;
const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Bare page</title>
<script type="module" src="/main.js"></script>
</head>
<body><div id="root"></div></body>
</html>
`;
const WORKER = `
addEventListener('install', (event) =>
  event.waitUntil(caches.open('bare').then((cache) => cache.addAll(['/', '/main.js']))));
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) =>
  event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request))));
`;

/** Builds the smallest React page that opens without a network: what the app's start is compared with. */
export async function buildBarePage(dist: string): Promise<void> {
  process.env.NODE_ENV = 'production';
  await build({
    configFile: false,
    root: join(import.meta.dirname, '..'),
    publicDir: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'bare-page',
        resolveId: (id) => (id === ENTRY ? id : null),
        load: (id) => (id === ENTRY ? SCRIPT : null),
      },
    ],
    build: {
      target: 'es2023',
      outDir: dist,
      emptyOutDir: true,
      reportCompressedSize: false,
      rolldownOptions: { input: ENTRY, output: { entryFileNames: 'main.js' } },
    },
  });
  await writeFile(join(dist, 'index.html'), HTML);
  await writeFile(join(dist, 'sw.js'), WORKER);
}
