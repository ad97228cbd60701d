import { open } from 'node:fs/promises';
import { EtagMismatch } from 'pmtiles';
import { fetchWithRedirects, SourceMissing, SourceUnreachable, SourceUnusable } from './redirects.ts';

interface FilePart {
  bytes: Uint8Array<ArrayBuffer>;
  version: string;
}

/**
 * Reads part of a file: the bytes from `offset` on (fewer than `length` only at the end of the file) and the version of
 * the file. Throws EtagMismatch if the file is not the `expected` version.
 */
export type ReadBytes = (offset: number, length: number, expected?: string) => Promise<FilePart>;

const READ_TIMEOUT_MS = 5000;

/**
 * Source of a local file, whose reads reject with the file system's errors, or of a URL that supports range requests.
 */
export function createByteSource(location: string, timeout_ms = READ_TIMEOUT_MS): ReadBytes {
  return /^https?:\/\//i.test(location) ? createUrlSource(location, { timeout_ms }) : createFileSource(location);
}

interface UrlSourceOptions {
  /** Time limit of one reply, with its body. */
  timeout_ms: number;
  /** Ends all reads. */
  signal?: AbortSignal;
}

/** Opened for each read, so that a file renamed over the old one is found. */
function createFileSource(path: string): ReadBytes {
  return async (offset, length, expected) => {
    await using file = await open(path, 'r');
    const bytes = new Uint8Array(length);
    const { bytesRead } = await file.read(bytes, 0, length, offset);
    // After reading, so that a write before the read is detected.
    const { ino, size, mtimeNs } = await file.stat({ bigint: true });
    return { bytes: bytes.slice(0, bytesRead), version: checkVersion([ino, size, mtimeNs].map(String), expected) };
  };
}

/** Source of a URL that supports range requests. Throws SourceUnreachable and SourceUnusable. */
export function createUrlSource(url: string, { timeout_ms, signal: end }: UrlSourceOptions): ReadBytes {
  return async (offset, length, expected) => {
    let reply: Response | undefined;
    try {
      const timeout = AbortSignal.timeout(timeout_ms);
      const signal = end ? AbortSignal.any([timeout, end]) : timeout;
      const headers = { range: `bytes=${offset}-${offset + length - 1}`, 'accept-encoding': 'identity' };
      reply = await fetchWithRedirects(url, { headers, signal });
      checkRange(reply, offset);
      const [, size] = /\/(\d+)$/.exec(reply.headers.get('content-range') ?? '') ?? [];
      const validators = [reply.headers.get('etag'), reply.headers.get('last-modified'), size ?? null];
      const version = checkVersion(validators, expected);
      return { bytes: reply.status === 416 ? new Uint8Array(0) : await readBody(reply, length), version };
    } catch (cause) {
      if (cause instanceof EtagMismatch || cause instanceof SourceUnusable || cause instanceof SourceUnreachable)
        throw cause;
      throw new SourceUnreachable('The address did not answer', { cause });
    } finally {
      // An unread body would keep the connection open.
      if (reply && !reply.bodyUsed) await reply.body?.cancel();
    }
  };
}

/** Returns the validators as a version; does not compare a validator that is missing in one of the replies. */
function checkVersion(validators: readonly (string | null)[], expected?: string): string {
  const known: (string | null)[] = expected === undefined ? [] : JSON.parse(expected);
  if (validators.some((validator, at) => validator !== null && (known[at] ?? validator) !== validator)) {
    throw new EtagMismatch('The file of the map is a new one');
  }
  return JSON.stringify(validators);
}

/** A full response (200) to a range request is an error; 416 says that the file ends before the offset. */
function checkRange(reply: Response, offset: number): void {
  if (reply.status === 206) {
    const [, start] = /^bytes (\d+)-/.exec(reply.headers.get('content-range') ?? '') ?? [];
    if (start !== undefined && Number(start) === offset) return;
  }
  if (reply.status === 404 || reply.status === 410) throw new SourceMissing('there is no file at the address');
  if (reply.status === 416 && offset > 0) return;
  if (reply.status === 416) throw new SourceUnusable('the file at the address is empty');
  if (reply.status >= 300) throw new SourceUnreachable(`The address answered ${reply.status}`);
  throw new SourceUnusable('the host does not answer range requests');
}

/** Limits the body to the requested length, whatever the host sends. */
async function readBody(reply: Response, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  for await (const chunk of reply.body ?? []) {
    const part: Uint8Array = chunk;
    if (filled + part.length > length) throw new SourceUnusable('the host sends more than was asked for');
    bytes.set(part, filled);
    filled += part.length;
  }
  return bytes.slice(0, filled);
}
