import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';

export interface TileCacheLimits {
  max_bytes: number;
  max_tiles: number;
}

export interface KeptTile {
  bytes: Uint8Array<ArrayBuffer>;
  kept_at_ms: number;
}

/** Before the tile in its file: a file that a power cut left empty is not an empty tile. */
const MARK = 0x74;
const KEY = /^[\w-]+$/;

/** Keeps tiles as files of a folder; beyond a limit, those that were not used for the longest time are deleted. */
export function createTileCache(folder: string, { max_bytes, max_tiles }: TileCacheLimits) {
  const files = new LRUCache<string, number>({
    max: max_tiles,
    maxSize: max_bytes,
    sizeCalculation: (size) => size,
    dispose(_, key, reason) {
      if (reason === 'evict') rm(join(folder, key), { force: true }).catch(() => {});
    },
  });
  let listing: Promise<void> | undefined;

  /** Lists the files that an earlier process kept, the oldest first. */
  async function list(): Promise<void> {
    await mkdir(folder, { recursive: true });
    const found: { key: string; size: number; at_ms: number }[] = [];
    for (const key of await readdir(folder)) {
      const { size, mtimeMs: at_ms } = await stat(join(folder, key)).catch(() => ({ size: 0, mtimeMs: 0 }));
      // Left by a process that ended while it wrote.
      if (!KEY.test(key) || size === 0) await rm(join(folder, key), { force: true });
      else found.push({ key, size, at_ms });
    }
    for (const { key, size } of found.sort((a, b) => a.at_ms - b.at_ms)) files.set(key, size);
  }

  const listOnce = () => {
    listing ??= list().catch((error: unknown) => {
      listing = undefined;
      throw error;
    });
    return listing;
  };

  return {
    async read(key: string): Promise<KeptTile | undefined> {
      await listOnce();
      if (files.get(key) === undefined) return undefined;
      try {
        const path = join(folder, key);
        const [content, { mtimeMs: kept_at_ms }] = await Promise.all([readFile(path), stat(path)]);
        if (content[0] === MARK) return { bytes: Uint8Array.from(content.subarray(1)), kept_at_ms };
      } catch {
        // Deleted by hand, or by another process.
      }
      files.delete(key);
      return undefined;
    },
    async write(key: string, bytes: Uint8Array): Promise<void> {
      await listOnce();
      const path = join(folder, key);
      const new_path = `${path}.${randomBytes(4).toString('hex')}`;
      try {
        await writeFile(new_path, Buffer.concat([Buffer.of(MARK), bytes]));
        await rename(new_path, path);
      } catch (error) {
        // Half a tile on a full disk would stay there, counted by no limit.
        await rm(new_path, { force: true });
        throw error;
      }
      files.set(key, bytes.length + 1);
    },
  };
}
