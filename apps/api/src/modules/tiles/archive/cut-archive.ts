import { stat } from 'node:fs/promises';
import { StartError } from '#api/platform/start-error.ts';
import { createMapArchive, type MapArchiveOptions } from './map-archive.ts';
import { EMPTY_TILE, type TileSource } from './tile-source.ts';

/** The archive of the cut town: it may appear, and be replaced, while the server runs. */
export function createCutArchive(
  path: string,
  options: MapArchiveOptions,
): TileSource & { exists(): Promise<boolean> } {
  let current: { version: string; archive: TileSource } | undefined;

  async function findArchive(): Promise<TileSource | undefined> {
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    if (!found?.isFile()) {
      current = undefined;
      return undefined;
    }
    const version = [found.ino, found.size, found.mtimeNs].join(' ');
    if (current?.version !== version) current = { version, archive: createMapArchive(path, options) };
    return current.archive;
  }

  return {
    exists: async () => (await findArchive()) !== undefined,
    /** Returns the error of a damaged archive: the server starts without streets. */
    async open() {
      try {
        return await (await findArchive())?.open();
      } catch (error) {
        if (error instanceof StartError) return error;
        throw error;
      }
    },
    describe: async () => (await findArchive())?.describe(),
    getTile: async (address) => (await findArchive())?.getTile(address) ?? EMPTY_TILE,
  };
}
