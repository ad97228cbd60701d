import type { TileAddress } from './tile-address.ts';

export interface TileCache {
  /** The kept tile, else what `cut` makes; callers who want the same tile at the same time share one cut. */
  get(address: TileAddress, cut: () => Promise<Uint8Array>): Promise<Uint8Array>;
}

const MAX_BYTES = 16 * 1024 * 1024;
/** What an entry costs beside its bytes; open sea is smaller than its own key. */
const ENTRY_BYTES = 200;

/** Keeps the tiles that were asked for last, up to `max_bytes`. */
export function createTileCache(max_bytes = MAX_BYTES): TileCache {
  const kept = new Map<string, Uint8Array>();
  const running = new Map<string, Promise<Uint8Array>>();
  let bytes = 0;

  function keep(key: string, tile: Uint8Array): void {
    kept.set(key, tile);
    bytes += sizeOf(tile);
    for (const [oldest, dropped] of kept) {
      if (bytes <= max_bytes) break;
      kept.delete(oldest);
      bytes -= sizeOf(dropped);
    }
  }

  async function make(key: string, cut: () => Promise<Uint8Array>): Promise<Uint8Array> {
    try {
      const tile = await cut();
      keep(key, tile);
      return tile;
    } finally {
      running.delete(key);
    }
  }

  return {
    get({ z, x, y }, cut) {
      const key = `${z}/${x}/${y}`;
      const tile = kept.get(key);
      if (tile !== undefined) {
        // A Map keeps the order of insertion: moved to the end, it is the youngest again.
        kept.delete(key);
        kept.set(key, tile);
        return Promise.resolve(tile);
      }
      const started = running.get(key) ?? make(key, cut);
      if (kept.get(key) === undefined) running.set(key, started);
      return started;
    },
  };
}

function sizeOf(tile: Uint8Array): number {
  return ENTRY_BYTES + tile.byteLength;
}
