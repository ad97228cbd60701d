import type { Position } from '@sendlap/domain/geo.ts';
import { middleOf } from './geometry.ts';
import { isRecord } from './json-record.ts';
import { OSM_LICENCE, readTags } from './read-feature.ts';
import { findBrokenText } from './read-text.ts';
import type { Place, ReadFile, ReadOptions, Refusal } from './types.ts';

type Element = { type: string; id: number; fields: Record<string, unknown> };
type Index = ReadonlyMap<string, Element>;

const MAX_DEPTH = 4;

/**
 * Overpass JSON: nodes, ways (with `center` or `bounds`, with `geometry`, or joined from the nodes of the same file)
 * and relations (`center`, or the middle of their members). Elements without tags only carry the shape of others: they
 * are not counted as read, a note says how many they were.
 */
export function readOverpass(elements: unknown[], options: ReadOptions): ReadFile {
  const parsed = elements.map(readElement);
  const index = new Map<string, Element>();
  for (const element of parsed) {
    const key = element === null ? '' : `${element.type}/${element.id}`;
    const known = index.get(key);
    // A node may stand twice, once with tags and once as a mere corner: the tagged one says more.
    if (element !== null && (known === undefined || !hasTags(known))) index.set(key, element);
  }
  const places: Place[] = [];
  const refusals: Refusal[] = [];
  let shapes = 0;
  let read = 0;
  for (const element of parsed) {
    if (element !== null && !hasTags(element)) {
      shapes += 1;
      continue;
    }
    const result = readPlace(element, read, index, options);
    if ('code' in result) refusals.push(result);
    else places.push(result);
    read += 1;
  }
  const notes = shapes === 0 ? [] : [`${shapes} elements without tags only carry the shape of ways and relations`];
  return { read, places, refusals, notes };
}

function readPlace(element: Element | null, index: number, elements: Index, options: ReadOptions): Place | Refusal {
  if (element === null) {
    const reason = 'not an Overpass element: it needs a type and an id';
    return { index, ref: `#${index}`, name: null, code: 'invalid_feature', reason };
  }
  const source_ref = `${element.type}/${element.id}`;
  const tags = readTags(isRecord(element.fields.tags) ? element.fields.tags : {});
  const name = tags.name ?? null;
  const broken = findBrokenText(element.fields);
  if (broken !== null) return { index, ref: `osm:${source_ref}`, name, code: 'invalid_text', reason: broken };
  const point = locate(element, elements, 0);
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

function readElement(value: unknown): Element | null {
  if (!isRecord(value) || typeof value.type !== 'string' || typeof value.id !== 'number') return null;
  return /^(node|way|relation)$/.test(value.type) ? { type: value.type, id: value.id, fields: value } : null;
}

function hasTags(element: Element): boolean {
  return isRecord(element.fields.tags) && Object.keys(element.fields.tags).length > 0;
}

function locate(element: Element, elements: Index, depth: number): Position | null {
  const { fields } = element;
  const own = pointOf(fields) ?? pointOf(fields.center);
  if (own !== null) return own;
  if (isRecord(fields.bounds)) return middleOfBounds(fields.bounds);
  if (Array.isArray(fields.geometry)) return middleOf(fields.geometry.map(pointOf).filter((part) => part !== null));
  // Relations may hold each other in a ring: the depth ends it.
  if (depth >= MAX_DEPTH) return null;
  const parts = memberKeys(fields).map((key) => {
    const member = elements.get(key);
    return member === undefined ? null : locate(member, elements, depth + 1);
  });
  return middleOf(parts.filter((part) => part !== null));
}

function memberKeys(fields: Record<string, unknown>): string[] {
  if (Array.isArray(fields.nodes)) return fields.nodes.map((id) => `node/${id}`);
  if (!Array.isArray(fields.members)) return [];
  return fields.members.filter(isRecord).map((member) => `${member.type}/${member.ref}`);
}

function pointOf(value: unknown): Position | null {
  if (!isRecord(value) || typeof value.lat !== 'number' || typeof value.lon !== 'number') return null;
  return { latitude: value.lat, longitude: value.lon };
}

function middleOfBounds(bounds: Record<string, unknown>): Position | null {
  return middleOf([
    { latitude: Number(bounds.minlat), longitude: Number(bounds.minlon) },
    { latitude: Number(bounds.maxlat), longitude: Number(bounds.maxlon) },
  ]);
}
