import type { ExpressionSpecification } from 'maplibre-gl';

// Without a glyph server MapLibre draws letters with the device's own font of this name.
export const FONT = ['sans-serif'];

/** Seen from the fields that makers of map files write names into: the reader's language first, then how it is called there. */
export function nameIn(language: string): ExpressionSpecification {
  const own = language === 'es' ? ['name_es', 'name:es'] : ['name:en', 'name_en'];
  return ['coalesce', ...[...own, 'name:latin', 'name'].map((field): ExpressionSpecification => ['get', field])];
}
