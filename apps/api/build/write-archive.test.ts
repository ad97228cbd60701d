import { Compression, PMTiles, tileIdToZxy } from 'pmtiles';
import { expect, it } from 'vitest';
import { writeArchive } from './write-archive.ts';

it('writes tiles with the same content once, and each reads back unchanged', async () => {
  // Each content has 2 to 2.5 KB, so that a second copy would exceed the size below: a run of equal tiles, and one again later.
  const contents = ['sea', 'sea', 'sea', 'land', 'sea', 'town', 'land', 'sea', 'sea'].map((name) =>
    Buffer.from(`${name} `.repeat(500)),
  );
  const tiles = contents.map((bytes, id) => {
    const [z, x, y] = tileIdToZxy(id);
    return { z, x, y, bytes };
  });
  const archive = writeArchive({ tiles, compression: Compression.None, leaf_entries: 2 });
  expect(archive.length).toBeLessThan(7500);
  const reader = new PMTiles({
    getKey: () => '',
    getBytes: async (offset, length) => ({ data: Uint8Array.from(archive.subarray(offset, offset + length)).buffer }),
  });
  for (const { z, x, y, bytes } of tiles) {
    expect(Buffer.from((await reader.getZxy(z, x, y))?.data ?? new ArrayBuffer(0)).equals(bytes)).toBe(true);
  }
});
