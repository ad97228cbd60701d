import { isRecord } from '@sendlap/contract/wire/json-record.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import { midpointOf } from './geometry.ts';

export type OverpassElement = { type: string; id: number; tagged: boolean; fields: Record<string, unknown> };

/** Elements by `type/id`. */
export type ElementIndex = ReadonlyMap<string, OverpassElement>;

/** Relations may contain each other in a cycle: the depth limit ends it. */
const MAX_DEPTH = 4;

export function readElement(value: unknown): OverpassElement | null {
  if (!isRecord(value) || typeof value.type !== 'string' || typeof value.id !== 'number') return null;
  if (!/^(node|way|relation)$/.test(value.type)) return null;
  const tagged = isRecord(value.tags) && Object.keys(value.tags).length > 0;
  return { type: value.type, id: value.id, tagged, fields: value };
}

/** If a file has an element twice, once as a mere part of a shape, the one with tags wins. */
export function indexElements(elements: readonly (OverpassElement | null)[]): ElementIndex {
  const shapes = new Map<string, OverpassElement>();
  for (const element of elements) {
    if (element === null) continue;
    const key = `${element.type}/${element.id}`;
    const known = shapes.get(key);
    if (known === undefined || (element.tagged && !known.tagged)) shapes.set(key, element);
  }
  return shapes;
}

/** Returns the center of an element: its own, or that of its parts; null if the file lacks them. */
export function locate(fields: Record<string, unknown>, shapes: ElementIndex, depth = 0): Position | null {
  const own = ownPosition(fields);
  if (own !== null || depth === MAX_DEPTH) return own;
  const points = partsOf(fields).map((key) => {
    const part = shapes.get(key);
    return part === undefined ? null : locate(part.fields, shapes, depth + 1);
  });
  return midpointOf(points.filter((point) => point !== null));
}

function ownPosition(fields: Record<string, unknown>): Position | null {
  const own = pointOf(fields) ?? pointOf(fields.center);
  if (own !== null) return own;
  if (isRecord(fields.bounds)) return midpointOfBounds(fields.bounds);
  if (!Array.isArray(fields.geometry)) return null;
  return midpointOf(fields.geometry.map(pointOf).filter((part) => part !== null));
}

function partsOf(fields: Record<string, unknown>): string[] {
  if (Array.isArray(fields.nodes)) return fields.nodes.map((id) => `node/${id}`);
  if (!Array.isArray(fields.members)) return [];
  return fields.members.filter(isRecord).map((member) => `${member.type}/${member.ref}`);
}

function pointOf(value: unknown): Position | null {
  if (!isRecord(value) || typeof value.lat !== 'number' || typeof value.lon !== 'number') return null;
  return { latitude: value.lat, longitude: value.lon };
}

function midpointOfBounds(bounds: Record<string, unknown>): Position | null {
  return midpointOf([
    { latitude: Number(bounds.minlat), longitude: Number(bounds.minlon) },
    { latitude: Number(bounds.maxlat), longitude: Number(bounds.maxlon) },
  ]);
}
