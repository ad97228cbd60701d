import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folders and hosts that can hold a map, removed by `close`. */
export interface ArchiveSources {
  folder: string;
  /** Returns the path of a new file with these bytes. */
  fileOf(bytes: Uint8Array | string): Promise<string>;
  /** Returns the address of a new host with this listener. */
  hostOf(listener: RequestListener): Promise<string>;
  close(): Promise<void>;
}

export async function createArchiveSources(): Promise<ArchiveSources> {
  const folder = await mkdtemp(join(tmpdir(), 'sendlap-tiles-'));
  const stops: (() => void)[] = [];
  let files = 0;
  return {
    folder,
    async fileOf(bytes) {
      files += 1;
      const path = join(folder, `${files}.pmtiles`);
      await writeFile(path, bytes);
      return path;
    },
    async hostOf(listener) {
      const server = createServer(listener);
      stops.push(() => server.close().closeAllConnections());
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/map.pmtiles`;
    },
    async close() {
      for (const stop of stops) stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** A host's copy of an archive; many hosts send no version. */
export interface HostedArchive {
  bytes: Buffer;
  etag?: string;
  last_modified?: string;
  /** False for a host that does not send the size. */
  tells_size?: boolean;
}

/** Answers range requests as a file host does. */
export function answerRange(archive: () => HostedArchive): RequestListener {
  return (request, response) => {
    const { bytes, etag, last_modified, tells_size = true } = archive();
    const [, from = '', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(String(request.headers.range)) ?? [];
    const part = bytes.subarray(Number(from), Number(to) + 1);
    const size = tells_size ? bytes.length : '*';
    if (etag) response.setHeader('etag', etag);
    if (last_modified) response.setHeader('last-modified', last_modified);
    if (part.length === 0) return void response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${size}`;
    response.writeHead(206, { 'content-range': range, 'content-length': part.length }).end(part);
  };
}
