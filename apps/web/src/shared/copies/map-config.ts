import { getMapConfig } from '@sendlap/contract/map/tiles.ts';
import type { Reply } from '@sendlap/contract/wire/endpoint.ts';
import { call } from '#web/shared/api/client.ts';
import { loadMetadata, saveMetadata } from './metadata.ts';

export type MapConfig = Reply<typeof getMapConfig>;

const KEY = 'map_config';

/**
 * Returns the layers that the map can draw: from the server, or its last answer if it is unreachable; null without one.
 */
export async function loadMapConfig(): Promise<MapConfig | null> {
  try {
    // After an operator has loaded streets, the browser's copy is out of date.
    const config = await call(getMapConfig, {}, { revalidate: true });
    void saveMetadata(KEY, config);
    return config;
  } catch {
    return ((await loadMetadata(KEY)) as MapConfig | undefined) ?? null;
  }
}
