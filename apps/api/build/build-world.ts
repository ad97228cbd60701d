import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { WORLD_ATTRIBUTION, WORLD_FILE } from '#api/modules/tiles/service.ts';
import { cutWorld } from './cut-world.ts';
import { writeArchive } from './write-archive.ts';

// Renamed at the end, so that a server or a second build never reads half a file.
mkdirSync(dirname(WORLD_FILE), { recursive: true });
const part = `${WORLD_FILE}.${process.pid}`;
writeFileSync(
  part,
  writeArchive({
    tiles: cutWorld(),
    metadata: { attribution: WORLD_ATTRIBUTION },
    bounds: [-180, -85, 180, 85],
    leaf_entries: 4096,
  }),
);
renameSync(part, WORLD_FILE);
