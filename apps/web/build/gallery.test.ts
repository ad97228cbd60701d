import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isScreen } from '@sendlap/contract/wire/screens.ts';
import { build, createServer, type InlineConfig } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { gallery } from './gallery.ts';

/** An app whose entry imports a file. */
function createApp(imported: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sendlap-gallery-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const root = join(folder, 'apps/web');
  for (const part of ['src', 'gallery']) mkdirSync(join(root, part), { recursive: true });
  writeFileSync(join(root, 'gallery/Gallery.js'), "export const title = 'Components';");
  writeFileSync(join(root, 'gallery/index.html'), '<!doctype html><title>Components</title>');
  writeFileSync(join(root, 'src/App.js'), "export const title = 'App';");
  writeFileSync(join(root, 'src/main.js'), `import { title } from '${imported}'; document.title = title;`);
  writeFileSync(
    join(root, 'index.html'),
    '<!doctype html><title>App</title><script type="module" src="/src/main.js"></script>',
  );
  return root;
}

const options: InlineConfig = { configFile: false, logLevel: 'silent', plugins: [gallery()] };

test('a build that holds a module of the gallery fails', async () => {
  await expect(
    build({ ...options, root: createApp('../gallery/Gallery.js'), build: { write: false } }),
  ).rejects.toThrow('apps/web/gallery/Gallery.js of the gallery');
});

test('a build of the app alone writes no file of the gallery', async () => {
  const built = await build({ ...options, root: createApp('./App.js'), build: { write: false } });
  const files = (built as { output: { fileName: string }[] }).output.map(({ fileName }) => fileName);
  expect(files).toContain('index.html');
  expect(files.filter((file) => /gallery/i.test(file))).toEqual([]);
});

test('the server of the app knows no page at the address of the gallery', () => {
  expect(isScreen('/dev/ui')).toBe(false);
});

test('development serves the gallery at /dev/ui, and the app elsewhere', async () => {
  const vite = await createServer({
    ...options,
    root: createApp('./App.js'),
    server: { middlewareMode: true, ws: false },
  });
  onTestFinished(() => vite.close());
  const server = createHttpServer(vite.middlewares).listen(0);
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const read = async (path: string) => {
    const reply = await fetch(`http://localhost:${address.port}${path}`, { headers: { accept: 'text/html' } });
    return reply.text();
  };
  expect(await read('/dev/ui')).toContain('<title>Components</title>');
  expect(await read('/dev/ui?x=1')).toContain('<title>Components</title>');
  expect(await read('/dev/uix')).toContain('<title>App</title>');
});
