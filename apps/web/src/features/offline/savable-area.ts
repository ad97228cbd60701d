import type { Town } from '@sendlap/contract/towns.ts';
import { AREA_PREFIX } from '#web/shared/local-db/database.ts';

/** An area that can be saved: a town, or a map area (its id begins with `area:`, its `name` is null until it is saved). */
export interface SavableArea extends Pick<Town, 'id' | 'name_es' | 'country' | 'latitude' | 'longitude' | 'radius_km'> {
  name: string | null;
}

export function isMapArea({ id }: Pick<SavableArea, 'id'>): boolean {
  return id.startsWith(AREA_PREFIX);
}
