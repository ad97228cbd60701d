import type { Position } from '@sendlap/domain/geo.ts';
import { middleOf } from './geometry.ts';
import { isRecord } from './json-record.ts';
import { NodePositions } from './node-positions.ts';

export type Element = { type: string; id: number; tagged: boolean; fields: Record<string, unknown> };

/** What ways and relations are made of, as far as somebody asks for it. */
export type Shapes = {
  nodes: NodePositions;
  /** Members of relations, `way/1`: their middle, or their own parts. */
  members: Map<string, Position | string[]>;
};

/** Relations may hold each other in a ring: the depth ends it. */
const MAX_DEPTH = 4;

export function readElement(value: unknown): Element | null {
  if (!isRecord(value) || typeof value.type !== 'string' || typeof value.id !== 'number') return null;
  if (!/^(node|way|relation)$/.test(value.type)) return null;
  const tagged = isRecord(value.tags) && Object.keys(value.tags).length > 0;
  return { type: value.type, id: value.id, tagged, fields: value };
}

/**
 * Reads a file as often as it takes to know the nodes that its tagged ways and relations are made of, wherever in the
 * file they stand; only what is asked for is kept. A file whose ways have a center is read once.
 */
export async function collectShapes(scan: () => AsyncIterable<unknown[]>): Promise<Shapes> {
  const shapes: Shapes = { nodes: new NodePositions(), members: new Map() };
  const asked = new Set<string>();
  const ask = (keys: string[]): void => {
    for (const key of keys) {
      if (key.startsWith('node/')) shapes.nodes.ask(Number(key.slice(5)));
      else asked.add(key);
    }
  };
  await eachElement(scan, (element) => {
    if (element.tagged && ownPosition(element.fields) === null) ask(partsOf(element.fields));
  });
  for (let depth = 1; depth < MAX_DEPTH; depth += 1) {
    const wanted = new Set([...asked].filter((key) => !shapes.members.has(key)));
    if (wanted.size === 0) break;
    await eachElement(scan, ({ type, id, tagged, fields }) => {
      const key = `${type}/${id}`;
      // What stands twice, once with tags and once as a mere part: the tagged one says more.
      if (!wanted.has(key) || (shapes.members.has(key) && !tagged)) return;
      const shape = ownPosition(fields) ?? partsOf(fields);
      shapes.members.set(key, shape);
      if (Array.isArray(shape)) ask(shape);
    });
    // What the file does not have will not be there the next time either.
    for (const key of wanted) if (!shapes.members.has(key)) asked.delete(key);
  }
  if (shapes.nodes.seal() > 0) {
    await eachElement(scan, ({ type, id, tagged, fields }) => {
      const point = type === 'node' ? pointOf(fields) : null;
      if (point !== null) shapes.nodes.put(id, point, tagged);
    });
  }
  return shapes;
}

/** The middle of an element: its own, or that of its parts; null where the file does not have them. */
export function locate(fields: Record<string, unknown>, shapes: Shapes): Position | null {
  return ownPosition(fields) ?? middleOfParts(partsOf(fields), shapes, 1);
}

function middleOfParts(keys: string[], shapes: Shapes, depth: number): Position | null {
  if (depth > MAX_DEPTH) return null;
  const points = keys.map((key) => {
    if (key.startsWith('node/')) return shapes.nodes.get(Number(key.slice(5)));
    const shape = shapes.members.get(key) ?? null;
    return Array.isArray(shape) ? middleOfParts(shape, shapes, depth + 1) : shape;
  });
  return middleOf(points.filter((point) => point !== null));
}

async function eachElement(scan: () => AsyncIterable<unknown[]>, take: (element: Element) => void): Promise<void> {
  for await (const some of scan()) {
    for (const value of some) {
      const element = readElement(value);
      if (element !== null) take(element);
    }
  }
}

function ownPosition(fields: Record<string, unknown>): Position | null {
  const own = pointOf(fields) ?? pointOf(fields.center);
  if (own !== null) return own;
  if (isRecord(fields.bounds)) return middleOfBounds(fields.bounds);
  if (!Array.isArray(fields.geometry)) return null;
  return middleOf(fields.geometry.map(pointOf).filter((part) => part !== null));
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

function middleOfBounds(bounds: Record<string, unknown>): Position | null {
  return middleOf([
    { latitude: Number(bounds.minlat), longitude: Number(bounds.minlon) },
    { latitude: Number(bounds.maxlat), longitude: Number(bounds.maxlon) },
  ]);
}
