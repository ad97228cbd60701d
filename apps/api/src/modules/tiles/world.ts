import { fileURLToPath } from 'node:url';

/** The world map, built from Natural Earth and GeoNames (build/build-world.ts). */
export const WORLD_FILE = fileURLToPath(new URL('../../../dist/world.pmtiles', import.meta.url));
export const WORLD_ATTRIBUTION = 'Natural Earth, GeoNames (CC BY 4.0)';
