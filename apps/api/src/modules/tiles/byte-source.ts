import { open } from 'node:fs/promises';
import { fetchFollowing } from './redirects.ts';
import { SourceChanged, SourceUnfit, SourceUnreachable } from './source-faults.ts';

/** A file, here or elsewhere, of which parts are read. */
export interface ByteSource {
  /** The bytes from `offset` on; fewer than `length` only where the file ends. Throws SourceChanged for a new file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

const READ_TIMEOUT_MS = 5000;

/** A file here, whose reads reject with what the file system rejects with, or an address that answers range requests. */
export function createSource(location: string, timeout_ms = READ_TIMEOUT_MS): ByteSource {
  return /^https?:\/\//i.test(location) ? sourceOfUrl(location, timeout_ms) : sourceOfFile(location);
}

/** Opened for each read, so that a file which took the name of the old one is found. */
function sourceOfFile(path: string): ByteSource {
  const checkVersion = createVersionCheck();
  return {
    async read(offset, length) {
      const file = await open(path, 'r');
      try {
        const bytes = Buffer.allocUnsafe(length);
        const { bytesRead } = await file.read(bytes, 0, length, offset);
        // Asked after reading: what was written before then shows.
        const { ino, size, mtimeNs } = await file.stat({ bigint: true });
        checkVersion([ino, size, mtimeNs].map(String));
        return bytes.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
  };
}

function sourceOfUrl(url: string, timeout_ms: number): ByteSource {
  const checkVersion = createVersionCheck();

  async function readPart(offset: number, length: number): Promise<Uint8Array> {
    const signal = AbortSignal.timeout(timeout_ms);
    const headers = { range: `bytes=${offset}-${offset + length - 1}`, 'accept-encoding': 'identity' };
    const reply = await fetchFollowing(url, { headers, signal });
    try {
      checkRange(reply, offset);
      const [, size] = /\/(\d+)$/.exec(reply.headers.get('content-range') ?? '') ?? [];
      checkVersion([reply.headers.get('etag'), reply.headers.get('last-modified'), size]);
      return reply.status === 416 ? new Uint8Array(0) : await readBody(reply, length);
    } finally {
      // What is not read to its end keeps the connection.
      if (!reply.bodyUsed) await reply.body?.cancel();
    }
  }

  return {
    async read(offset, length) {
      try {
        return await readPart(offset, length);
      } catch (cause) {
        if (cause instanceof SourceChanged || cause instanceof SourceUnfit || cause instanceof SourceUnreachable) {
          throw cause;
        }
        throw new SourceUnreachable('The address did not answer', { cause });
      }
    },
  };
}

/** Throws SourceChanged when a mark of the file is another than the first time; those that are not told are passed over. */
function createVersionCheck(): (marks: readonly (string | null | undefined)[]) => void {
  const known = new Map<number, string>();
  return (marks) => {
    for (const [at, mark] of marks.entries()) {
      if (mark === null || mark === undefined) continue;
      if ((known.get(at) ?? mark) !== mark) throw new SourceChanged('The file of the map is a new one');
      known.set(at, mark);
    }
  };
}

/** A whole file instead of a part is only right where the part is the whole; 416 says that the file ends before. */
function checkRange(reply: Response, offset: number): void {
  if (reply.status === 206) {
    const [, start] = /^bytes (\d+)-/.exec(reply.headers.get('content-range') ?? '') ?? [];
    if (start !== undefined && Number(start) === offset) return;
  }
  if (reply.status === 404 || reply.status === 410) throw new SourceUnfit('there is no file at the address');
  if (reply.status === 416 && offset > 0) return;
  if (reply.status === 416) throw new SourceUnfit('the file at the address is empty');
  if (reply.status >= 300) throw new SourceUnreachable(`The address answered ${reply.status}`);
  throw new SourceUnfit('the host does not answer range requests');
}

/** No more than was asked for, whatever a host sends. */
async function readBody(reply: Response, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  for await (const chunk of reply.body ?? []) {
    const part: Uint8Array = chunk;
    if (filled + part.length > length) throw new SourceUnfit('the host sends more than was asked for');
    bytes.set(part, filled);
    filled += part.length;
  }
  return bytes.subarray(0, filled);
}
