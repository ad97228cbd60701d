import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { buildBarePage } from '../../apps/web/build/bare-page.ts';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

/** The smallest React page on a server of its own, compressed as the app's files are. */
interface BareSite {
  url: string;
  close(): void;
}

/** Builds the page into `dist` and serves it. */
export async function startBareSite(dist: string): Promise<BareSite> {
  await buildBarePage(dist);
  const server = createServer((request, reply) => {
    const name = request.url === '/' ? 'index.html' : (request.url ?? '');
    const headers = { 'content-type': TYPES[extname(name)] ?? 'text/plain', 'content-encoding': 'br' };
    readFile(join(dist, name)).then(
      (body) => reply.writeHead(200, headers).end(brotliCompressSync(body)),
      () => reply.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the bare page has no address');
  return { url: `http://127.0.0.1:${address.port}`, close: () => void server.close() };
}
