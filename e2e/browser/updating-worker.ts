import { createServer, type Server as HttpServer } from 'node:http';
import type { Server } from '../server/server.ts';

export interface UpdatingWorker {
  url: string;
  /** From now on, /sw.js is another version. */
  publish(): void;
  close(): Promise<void>;
}

/** Serves the app at an address of its own, where a new version of the service worker can be published. */
export async function serveUpdatingWorker(server: Server): Promise<UpdatingWorker> {
  let version = 1;
  /** The build writes the version as a hash of the worker's script and its list of files. */
  const withVersion = (body: Buffer) => {
    const text = String(body);
    const changed = text.replace(
      /(?<=GET_VERSION.{1,80}postMessage\([`"'])[\w-]{16}/s,
      (built) => `${built} ${version}`,
    );
    if (changed === text) throw new Error('the worker names no version');
    return changed;
  };
  const proxy: HttpServer = createServer((request, reply) => {
    void (async () => {
      const path = request.url ?? '/';
      const answer = await fetch(server.url + path, { headers: { accept: request.headers.accept ?? '*/*' } });
      const body = Buffer.from(await answer.arrayBuffer());
      const type = answer.headers.get('content-type') ?? 'text/plain';
      const text = path === '/sw.js' ? withVersion(body) : body;
      reply.writeHead(answer.status, { 'content-type': type, 'cache-control': 'no-cache' }).end(text);
    })().catch(() => reply.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve));
  const address = proxy.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://localhost:${port}`,
    publish() {
      version += 1;
    },
    close: () => new Promise((resolve) => proxy.close(() => resolve())),
  };
}
