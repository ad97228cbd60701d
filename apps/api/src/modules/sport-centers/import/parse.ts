import { findCoordinateProblem, foreignProjection } from './check-coordinates.ts';
import type { CsvMapping } from './csv-mapping.ts';
import type { Input } from './input.ts';
import { isRecord } from './json-record.ts';
import { scanTable } from './read-csv.ts';
import { type FileFacts, OSM_LICENCE, readFeature } from './read-feature.ts';
import { isLineDelimited, readHead, type ScanOptions, scanDocument, scanLines, unknownFormat } from './read-json.ts';
import { readPlace } from './read-overpass.ts';
import { collectShapes, readElement } from './read-shapes.ts';
import { textOf, titleOf } from './read-text.ts';
import type { Place, ReadOptions, Refusal } from './types.ts';

/** A record of a file: a place on earth, or why it is none. */
export type ReadRecord = Place | Refusal;

/** What a file holds, in its order, some at a time. `notes` are complete when the last was read. */
export type Reading = { records: AsyncIterable<ReadRecord[]>; notes: string[] };

export type ReadingOptions = ReadOptions & {
  /** How to read a table; without it the input is JSON. */
  mapping?: CsvMapping;
  on_read?: (bytes: number) => void;
};

/**
 * Reads GeoJSON (a collection, one feature, or one feature a line), Overpass JSON, or a table (CSV) with a mapping into
 * places and refusals; every feature ends up in exactly one of the two. Coordinates are checked here, whether a place
 * is a sport center is not. A file of any size takes little memory, for which it is read more than once.
 *
 * @throws ImportError when the input is not JSON (with line and column) or none of the formats
 */
export async function openRecords(input: Input, options: ReadingOptions = {}): Promise<Reading> {
  const reading = await openAny(input, options);
  return { records: checkPlaces(reading.records), notes: reading.notes };
}

/** How reports name a record: `osm:way/12`. */
export function refOf(record: { source: string; source_ref: string }): string {
  return `${record.source}:${record.source_ref}`;
}

async function* checkPlaces(records: AsyncIterable<ReadRecord[]>): AsyncGenerator<ReadRecord[]> {
  for await (const some of records) {
    yield some.map((record) => {
      const problem = 'code' in record ? null : findCoordinateProblem(record);
      if (problem === null || 'code' in record) return record;
      return { index: record.index, ref: refOf(record), name: record.tags.name ?? null, ...problem };
    });
  }
}

async function openAny(input: Input, options: ReadingOptions): Promise<Reading> {
  if (options.mapping !== undefined) return { records: scanTable(input, options.mapping, options), notes: [] };
  if (await isLineDelimited(input)) return openFeatures(scanLines(input, options.on_read), {}, options);
  // Features are worth nothing before the head, and it may come behind them.
  const { value, notes } = await readHead(input);
  if (!isRecord(value)) throw unknownFormat();
  const scan = { parse: true, on_read: options.on_read };
  const add = (reading: Reading) => ({ ...reading, notes: Object.assign(reading.notes, [...notes, ...reading.notes]) });
  if (Array.isArray(value.elements)) return add(await openElements(input, value, scan, options));
  if (Array.isArray(value.features)) return add(openFeatures(scanDocument(input, scan), value, options));
  if (value.type === 'Feature') return add(openFeatures(once(value), {}, options));
  throw unknownFormat();
}

async function* once(value: unknown): AsyncGenerator<unknown[]> {
  yield [value];
}

function openFeatures(
  features: AsyncIterable<unknown[]>,
  head: Record<string, unknown>,
  options: ReadingOptions,
): Reading {
  const notes: string[] = [];
  const facts = fileFacts(head, options);
  const projection = foreignProjection(head.crs);
  const read = async function* (): AsyncGenerator<ReadRecord[]> {
    let [index, unlicensed] = [0, 0];
    for await (const some of features) {
      yield some.map((feature) => {
        const result = readFeature(feature, index, facts, options);
        index += 1;
        if ('code' in result) return result;
        if (projection !== null) return refuseProjection(result, projection);
        if (result.licence === null) unlicensed += 1;
        return result;
      });
    }
    if (unlicensed > 0) notes.push(`no licence is stated for ${unlicensed} features: give it with --licence`);
  };
  return { records: read(), notes };
}

function refuseProjection(place: Place, projection: string): Refusal {
  const reason = `the file says that its coordinates are in ${projection}, not in degrees of WGS 84`;
  return { index: place.index, ref: refOf(place), name: nameOf(place), code: 'wrong_projection', reason };
}

async function openElements(
  input: Input,
  head: Record<string, unknown>,
  scan: ScanOptions,
  options: ReadingOptions,
): Promise<Reading> {
  const shapes = await collectShapes(() => scanDocument(input, { parse: true }));
  // A server that ran out of time or memory says so here, in a file that is otherwise well-formed.
  const remark = textOf(head.remark);
  const notes: string[] = [];
  const read = async function* (): AsyncGenerator<ReadRecord[]> {
    let [index, untagged] = [0, 0];
    for await (const some of scanDocument(input, scan)) {
      const records: ReadRecord[] = [];
      for (const value of some) {
        const element = readElement(value);
        if (element !== null && !element.tagged) untagged += 1;
        else {
          records.push(readPlace(element, index, shapes, options));
          index += 1;
        }
      }
      yield records;
    }
    if (untagged > 0) notes.push(`${untagged} elements without tags only carry the shape of ways and relations`);
    if (remark !== null) notes.push(`the file may be incomplete, its server says: ${remark}`);
  };
  return { records: read(), notes };
}

function nameOf(place: Place): string | null {
  // Open-data tables rarely call the column `name`; the report should still say which place it was.
  return place.tags.name ?? place.tags.fna ?? place.tags.nam ?? place.tags.nombre ?? place.tags.nom ?? null;
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
