import { findCoordinateProblem, foreignProjection } from './check-coordinates.ts';
import { isRecord } from './json-record.ts';
import { type FileFacts, OSM_LICENCE, readFeature } from './read-feature.ts';
import { readJson, readJsonLines } from './read-json.ts';
import { readOverpass } from './read-overpass.ts';
import { textOf } from './read-text.ts';
import { ImportError, type Place, type ReadFile, type ReadOptions, type Refusal } from './types.ts';

/**
 * Reads GeoJSON (a collection, one feature, or one feature a line) or Overpass JSON into places and refusals.
 * Every feature ends up in exactly one of the two: `read` = places + refusals. Coordinates are checked here, whether
 * a place is a sport center is not.
 *
 * @throws ImportError when the text is not JSON (with line and column) or neither of the two formats
 */
export function readPlaces(text: string, options: ReadOptions = {}): ReadFile {
  const file = readAny(text, options);
  const places: Place[] = [];
  const refusals = [...file.refusals];
  for (const place of file.places) {
    const problem = findCoordinateProblem(place);
    if (problem === null) places.push(place);
    else refusals.push({ index: place.index, ref: refOf(place), name: place.tags.name ?? null, ...problem });
  }
  return { ...file, places, refusals };
}

/** How reports name a record: `osm:way/12`. */
export function refOf(record: { source: string; source_ref: string }): string {
  return `${record.source}:${record.source_ref}`;
}

function readAny(text: string, options: ReadOptions): ReadFile {
  if (text.trim() === '') throw new ImportError('not_json', 'line 1, column 1: the file is empty', 1);
  if (isLineDelimited(text)) return readFeatures(readJsonLines(text), {}, options);
  const { value, notes } = readJson(text);
  const file = readDocument(value, options);
  return { ...file, notes: [...notes, ...file.notes] };
}

function isLineDelimited(text: string): boolean {
  const first = text.slice(0, text.indexOf('\n') === -1 ? text.length : text.indexOf('\n'));
  const rest = text.slice(first.length).trim();
  if (rest === '') return false;
  try {
    const value: unknown = JSON.parse(first.replaceAll('\u001e', ''));
    return isRecord(value) && value.type === 'Feature';
  } catch {
    return false;
  }
}

function readDocument(value: unknown, options: ReadOptions): ReadFile {
  if (isRecord(value) && Array.isArray(value.elements)) {
    const file = readOverpass(value.elements, options);
    // A server that ran out of time or memory says so here, in a file that is otherwise well-formed.
    const remark = textOf(value.remark);
    const notes = remark === null ? [] : [`the file may be incomplete, its server says: ${remark}`];
    return { ...file, notes: [...file.notes, ...notes] };
  }
  if (isRecord(value) && Array.isArray(value.features)) return readFeatures(value.features, value, options);
  if (isRecord(value) && value.type === 'Feature') return readFeatures([value], {}, options);
  throw new ImportError(
    'unknown_format',
    'neither GeoJSON (an object with "features") nor Overpass JSON (an object with "elements")',
  );
}

function readFeatures(features: unknown[], head: Record<string, unknown>, options: ReadOptions): ReadFile {
  const facts = fileFacts(head, options);
  const projection = foreignProjection(head.crs);
  const places: Place[] = [];
  const refusals: Refusal[] = [];
  for (const [index, feature] of features.entries()) {
    const result = readFeature(feature, index, facts, options);
    if ('code' in result) refusals.push(result);
    else if (projection !== null) {
      const reason = `the file says that its coordinates are in ${projection}, not in degrees of WGS 84`;
      refusals.push({ index, ref: refOf(result), name: nameOf(result), code: 'wrong_projection', reason });
    } else places.push(result);
  }
  const unlicensed = places.filter((place) => place.licence === null).length;
  const notes = unlicensed === 0 ? [] : [`no licence is stated for ${unlicensed} features: give it with --licence`];
  return { read: features.length, places, refusals, notes };
}

function nameOf(place: Place): string | null {
  // Open-data tables rarely call the column `name`; the report should still say which place it was.
  return place.tags.name ?? place.tags.fna ?? place.tags.nam ?? place.tags.nombre ?? place.tags.nom ?? null;
}

function fileFacts(head: Record<string, unknown>, options: ReadOptions): FileFacts {
  const title = textOf(head.name);
  const openStreetMap = typeof head.copyright === 'string' && head.copyright.includes('openstreetmap');
  return {
    source: options.source ?? title ?? options.file_name ?? 'file',
    dataset: title,
    licence: openStreetMap ? OSM_LICENCE : null,
  };
}
