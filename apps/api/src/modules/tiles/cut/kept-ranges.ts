import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadBytes } from '../archive/byte-source.ts';

/** What the ranges in the folder were read from, and for. */
export interface KeptSource {
  /** Of the archive. */
  address: string;
  /** Anything that makes ranges of another cut useless. */
  purpose: string;
}

const NOTE = 'source.json';

/** Returns the source of the ranges that an interrupted cut left. */
export async function readKeptSource(folder: string): Promise<KeptSource | undefined> {
  try {
    const { address, purpose } = JSON.parse(await readFile(join(folder, NOTE), 'utf8')) as Partial<KeptSource>;
    return address !== undefined && purpose !== undefined ? { address, purpose } : undefined;
  } catch {
    return undefined;
  }
}

export type KeptRanges = Awaited<ReturnType<typeof openKeptRanges>>;

/**
 * Keeps each range that is read as a file, so that a cut which begins again after a crash reads none twice. The first
 * range decides the version of the archive: all others must have the same, or `read` throws EtagMismatch. Ranges of
 * another source are deleted.
 */
export async function openKeptRanges(folder: string, source: KeptSource, fetchRange: ReadBytes) {
  const kept = await readKeptSource(folder);
  if (kept?.address !== source.address || kept.purpose !== source.purpose)
    await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  let version = await readVersion(folder);
  const pathOf = (offset: number, length: number) => join(folder, `${offset}-${length}`);

  return {
    read: (async (offset, length) => {
      const path = pathOf(offset, length);
      const bytes = version === undefined ? undefined : await readWhole(path);
      if (bytes) return { bytes, version: version ?? '' };
      const part = await fetchRange(offset, length, version);
      if (version === undefined) {
        await writeWhole(join(folder, NOTE), JSON.stringify({ ...source, version: part.version }));
        ({ version } = part);
      }
      await writeWhole(path, part.bytes);
      return { bytes: part.bytes, version };
    }) satisfies ReadBytes,
    clear: () => rm(folder, { recursive: true, force: true }),
  };
}

async function readVersion(folder: string): Promise<string | undefined> {
  const note = await readWhole(join(folder, NOTE));
  return note && (JSON.parse(Buffer.from(note).toString()) as { version: string }).version;
}

async function readWhole(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return Uint8Array.from(await readFile(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a file whole or not at all, also if the machine loses its power. */
async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const new_path = `${path}.${randomBytes(4).toString('hex')}`;
  await using file = await open(new_path, 'w');
  await file.writeFile(content);
  await file.sync();
  await rename(new_path, path);
}
