import { isRecord } from './json-record.ts';
import { OSM_LICENCE, readTags } from './read-feature.ts';
import { type Element, locate, type Shapes } from './read-shapes.ts';
import { findBrokenText } from './read-text.ts';
import type { Place, ReadOptions, Refusal } from './types.ts';

/**
 * Reads one tagged element of Overpass JSON: a node, a way (with `center` or `bounds`, with `geometry`, or joined from
 * the nodes of the same file) or a relation (`center`, or the middle of its members). Null stands for what is none.
 */
export function readPlace(
  element: Element | null,
  index: number,
  shapes: Shapes,
  options: ReadOptions,
): Place | Refusal {
  if (element === null) {
    const reason = 'not an Overpass element: it needs a type and an id';
    return { index, ref: `#${index}`, name: null, code: 'invalid_feature', reason };
  }
  const source_ref = `${element.type}/${element.id}`;
  const tags = readTags(isRecord(element.fields.tags) ? element.fields.tags : {});
  const name = tags.name ?? null;
  const broken = findBrokenText(element.fields);
  if (broken !== null) return { index, ref: `osm:${source_ref}`, name, code: 'invalid_text', reason: broken };
  const point = locate(element.fields, shapes);
  if (point === null) {
    const node = element.type === 'node';
    const reason = node ? 'it has no coordinates' : 'the file has no center for it, nor the nodes that it is made of';
    const code = node ? 'no_geometry' : 'missing_nodes';
    return { index, ref: `osm:${source_ref}`, name, code, reason };
  }
  return {
    index,
    source: 'osm',
    source_ref,
    ...point,
    tags,
    declared_sports: null,
    dataset: null,
    licence: options.licence ?? OSM_LICENCE,
  };
}
