import type { ExpressionSpecification } from 'maplibre-gl';

// Without a glyph server MapLibre draws letters with the device's own font of this name.
export const FONT = ['sans-serif'];

/** A name expression over the fields that map files use: the reader's language first, then the local name. */
export function nameIn(language: string): ExpressionSpecification {
  const own = language === 'es' ? ['name_es', 'name:es'] : ['name:en', 'name_en'];
  return ['coalesce', ...[...own, 'name:latin', 'name'].map((field): ExpressionSpecification => ['get', field])];
}
