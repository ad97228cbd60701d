import { isRecord } from '@sendlap/contract/wire/json-record.ts';
import { findCoordinateProblem, foreignProjection } from './check-coordinates.ts';
import type { CsvMapping } from './csv-mapping.ts';
import { parseJson } from './parse-json.ts';
import { readTable } from './read-csv.ts';
import { type FileFacts, OSM_LICENCE, readFeature, readTags } from './read-feature.ts';
import { isSequence, readSequence, readText } from './read-file.ts';
import { type ElementIndex, indexElements, locate, type OverpassElement, readElement } from './read-shapes.ts';
import { describeIllFormedText, textOf, titleOf } from './read-text.ts';
import { ImportError, type ReadOptions, type Refusal, type SourceRecord } from './types.ts';

/** A feature of a file: a source record, or the reason why it is not one. */
export type ReadRecord = SourceRecord | Refusal;

/** The records of a file in file order. `notes` are complete after the last record. */
export type RecordStream = { records: AsyncIterable<ReadRecord>; notes: string[] };

export type RecordStreamOptions = ReadOptions & {
  /** How to read a table; without it the file is JSON. */
  mapping?: CsvMapping;
  on_read?: (done: number, total: number) => void;
};

/**
 * Parses GeoJSON (a collection, one feature, or a text sequence), Overpass JSON, or a table (CSV) with a mapping into
 * source records and refusals; every feature becomes exactly one of the two. Checks coordinates, but not whether a record
 * is a sport center. Iterating throws ImportError if the file is broken (with the line) or its format unknown.
 */
export function openRecords(file: Blob, options: RecordStreamOptions = {}): RecordStream {
  const notes: string[] = [];
  return { records: checkCoordinates(readAnyFormat(file, options, notes)), notes };
}

/** Name of a record in reports: `osm:way/12`. */
export function refOf(record: { source: string; source_ref: string }): string {
  return `${record.source}:${record.source_ref}`;
}

async function* checkCoordinates(records: AsyncIterable<ReadRecord>): AsyncGenerator<ReadRecord> {
  for await (const record of records) {
    const problem = 'code' in record ? null : findCoordinateProblem(record);
    if (problem === null || 'code' in record) yield record;
    else yield { index: record.index, ref: refOf(record), name: record.tags.name ?? null, ...problem };
  }
}

async function* readAnyFormat(file: Blob, options: RecordStreamOptions, notes: string[]): AsyncGenerator<ReadRecord> {
  if (options.mapping !== undefined) {
    yield* readTable(await readText(file, options.mapping.encoding), options.mapping, options);
  } else if (await isSequence(file, isFeature)) {
    yield* readFeatures(parseSequence(file, options), {}, options, notes);
  } else {
    const value = parseDocument(await readText(file), notes);
    if (!isRecord(value)) throw unknownFormat();
    const { elements, features, type } = value;
    if (Array.isArray(elements)) yield* readElements(elements, value.remark, options, notes);
    else if (Array.isArray(features)) yield* readFeatures(countRead(features, options), value, options, notes);
    else if (type === 'Feature') yield* readFeatures([value], {}, options, notes);
    else throw unknownFormat();
  }
}

async function* parseSequence(file: Blob, { on_read }: RecordStreamOptions): AsyncGenerator<unknown> {
  for await (const { text, line, bytes_read } of readSequence(file)) {
    if (text !== '') yield parseJson(text, line);
    on_read?.(bytes_read, file.size);
  }
}

/** A JavaScript assignment ends in `;`; the JSON before it is complete. */
function parseDocument(text: string, notes: string[]): unknown {
  const trimmed = text.trimEnd();
  if (!trimmed.endsWith(';')) return parseJson(text);
  const value = parseJson(trimmed.slice(0, -1));
  notes.push(`line ${trimmed.split('\n').length}: a ";" after the end of the JSON was overlooked`);
  return value;
}

function* countRead<Item>(items: readonly Item[], { on_read }: RecordStreamOptions): Generator<Item> {
  for (const [at, item] of items.entries()) {
    yield item;
    on_read?.(at + 1, items.length);
  }
}

async function* readFeatures(
  features: AsyncIterable<unknown> | Iterable<unknown>,
  head: Record<string, unknown>,
  options: RecordStreamOptions,
  notes: string[],
): AsyncGenerator<ReadRecord> {
  const facts = fileFacts(head, options);
  const projection = foreignProjection(head.crs);
  let [index, unlicensed] = [0, 0];
  for await (const feature of features) {
    const record = readFeature(feature, index, facts, options);
    index += 1;
    if ('code' in record) yield record;
    else if (projection !== null) yield refuseProjection(record, projection);
    else {
      if (record.licence === null) unlicensed += 1;
      yield record;
    }
  }
  if (unlicensed > 0) notes.push(`no licence is stated for ${unlicensed} features: give it with --licence`);
}

function* readElements(
  values: unknown[],
  remark: unknown,
  options: RecordStreamOptions,
  notes: string[],
): Generator<ReadRecord> {
  const elements = values.map(readElement);
  const shapes = indexElements(elements);
  let index = 0;
  for (const element of countRead(elements, options)) {
    if (element !== null && !element.tagged) continue;
    yield readElementRecord(element, index, shapes, options);
    index += 1;
  }
  const untagged = elements.length - index;
  if (untagged > 0) notes.push(`${untagged} elements without tags only carry the shape of ways and relations`);
  // A server that ran out of time or memory says so here, in an otherwise well-formed file.
  const said = textOf(remark);
  if (said !== null) notes.push(`the file may be incomplete, its server says: ${said}`);
}

function refuseProjection(record: SourceRecord, projection: string): Refusal {
  const reason = `the file says that its coordinates are in ${projection}, not in degrees of WGS 84`;
  return { index: record.index, ref: refOf(record), name: nameOf(record), code: 'wrong_projection', reason };
}

function nameOf(record: SourceRecord): string | null {
  // Open-data tables rarely call the column `name`; the report should still name the record.
  return record.tags.name ?? record.tags.fna ?? record.tags.nam ?? record.tags.nombre ?? record.tags.nom ?? null;
}

function fileFacts(head: Record<string, unknown>, options: ReadOptions): FileFacts {
  const title = titleOf(head.name);
  const openStreetMap = typeof head.copyright === 'string' && head.copyright.includes('openstreetmap');
  return {
    source: options.source ?? title ?? options.file_name ?? 'file',
    dataset: title,
    licence: openStreetMap ? OSM_LICENCE : null,
  };
}

function isFeature(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) && value.type === 'Feature';
  } catch {
    return false;
  }
}

function unknownFormat(): ImportError {
  const reason = 'neither GeoJSON (an object with "features") nor Overpass JSON (an object with "elements")';
  return new ImportError('unknown_format', reason);
}

/**
 * Reads one tagged element of Overpass JSON: a node, a way (with `center` or `bounds`, with `geometry`, or joined from
 * nodes of the same file) or a relation (`center`, or the center of its members). Null: not an element.
 */
function readElementRecord(
  element: OverpassElement | null,
  index: number,
  shapes: ElementIndex,
  options: ReadOptions,
): SourceRecord | Refusal {
  if (element === null) {
    const reason = 'not an Overpass element: it needs a type and an id';
    return { index, ref: `#${index}`, name: null, code: 'invalid_feature', reason };
  }
  const source_ref = `${element.type}/${element.id}`;
  const tags = readTags(isRecord(element.fields.tags) ? element.fields.tags : {});
  const name = tags.name ?? null;
  const broken = describeIllFormedText(element.fields);
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
