import type { Position } from '@sendlap/domain/geo.ts';
import { createPlaces } from '#api/modules/places/service.ts';

const places = createPlaces();

/** The names of the towns that a position lies in, in English, in Spanish and at home. */
export function placeNamesAt({ latitude, longitude }: Position): string[] {
  return places.namesAround({ latitude, longitude });
}
