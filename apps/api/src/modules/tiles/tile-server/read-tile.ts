import { Compression } from 'pmtiles';
import { decompress } from '../archive/checked-reader.ts';
import { EMPTY_TILE, type MapTile } from '../archive/tile-source.ts';
import { readLayerNames } from './vector-tile.ts';

/** Returns the tile and its layers; undefined if the bytes are not a vector tile. Servers send gzip with and without a header. */
export async function readTile(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ tile: MapTile; layers: string[] } | undefined> {
  if (bytes.length === 0) return { tile: EMPTY_TILE, layers: [] };
  const gzipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    const plain = gzipped ? new Uint8Array(await decompress(bytes.buffer, Compression.Gzip)) : bytes;
    const layers = readLayerNames(plain);
    return layers && { tile: plain.length === 0 ? EMPTY_TILE : { bytes, gzipped }, layers };
  } catch {
    return undefined;
  }
}
