import type { Place } from '@sendlap/contract/places.ts';
import { AREA_PREFIX } from '#web/shared/local-db/database.ts';

/** A place that can be saved: a town, or a map area (its `name` is null and its id begins with `area:`). */
export interface SavablePlace
  extends Pick<Place, 'id' | 'name_es' | 'country' | 'latitude' | 'longitude' | 'radius_km'> {
  name: string | null;
}

export function isArea({ id }: Pick<SavablePlace, 'id'>): boolean {
  return id.startsWith(AREA_PREFIX);
}
