import { SPORTS, type Sport } from '@sendlap/domain/sports.ts';
import { CsvError, parse } from 'csv-parse/sync';
import type { CsvMapping } from './csv-mapping.ts';
import { textOf, truncateText } from './read-text.ts';
import { refFromContent } from './source-ref.ts';
import { ImportError, type ReadOptions, type Refusal, type SourceRecord } from './types.ts';

type CellReader = (column: string | undefined) => string | null;
/** Positions of the named columns; `width` counts all columns. */
type Columns = { positions: Map<string, number>; width: number };
type Options = ReadOptions & { on_read?: (done: number, total: number) => void };

const MAX_ROW_BYTES = 4 * 1024 * 1024;
const MAX_REF = 200;

/**
 * Parses a table whose first line names the columns.
 *
 * @throws ImportError `not_csv` with the line, `bad_mapping` if a column is missing
 */
export function* readTable(text: string, mapping: CsvMapping, options: Options): Generator<SourceRecord | Refusal> {
  const [header, ...rows] = parseCells(text, mapping.delimiter);
  if (header === undefined) throw new ImportError('not_csv', 'line 1: the file is empty', 1);
  const columns = findColumns(header, mapping);
  for (const [index, cells] of rows.entries()) {
    yield readRow(cells, columns, index, mapping, options);
    options.on_read?.(index + 1, rows.length);
  }
}

function parseCells(text: string, delimiter = ','): string[][] {
  const max_record_size = MAX_ROW_BYTES;
  try {
    return parse(text, { delimiter, skip_empty_lines: true, relax_column_count: true, max_record_size });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === 'number' ? error.lines : null;
    throw new ImportError('not_csv', `line ${line ?? '?'}: ${error.message}`, line);
  }
}

function findColumns(header: string[], mapping: CsvMapping): Columns {
  const names = header.map((name) => name.trim());
  const positions = new Map(names.map((name, at) => [name, at]));
  const { sports, is_private } = mapping;
  const named = [
    ...Object.values(mapping.columns),
    Array.isArray(sports) ? undefined : sports.column,
    is_private?.column,
  ].filter((name) => name !== undefined);
  const missing = named.filter((name) => !positions.has(name));
  if (missing.length > 0) {
    const reason = `the file has no column ${quote(missing)}; its columns are ${quote(names)}`;
    throw new ImportError('bad_mapping', reason, 1);
  }
  const repeated = named.filter((name) => names.indexOf(name) !== positions.get(name));
  if (repeated.length > 0) {
    throw new ImportError('bad_mapping', `the file has more than one column ${quote(repeated)}`, 1);
  }
  return { positions, width: header.length };
}

function quote(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

function readRow(
  cells: string[],
  { positions, width }: Columns,
  index: number,
  mapping: CsvMapping,
  options: ReadOptions,
): SourceRecord | Refusal {
  const cell: CellReader = (column) => (column === undefined ? null : textOf(cells[positions.get(column) ?? -1]));
  const { columns: names } = mapping;
  const [name, given] = [cell(names.name), cell(names.ref)];
  const ref = given === null ? null : truncateText(given, MAX_REF);
  const source = options.source ?? mapping.source;
  const refuse = (code: Refusal['code'], reason: string): Refusal => {
    return { index, ref: ref === null ? `#${index}` : `${source}:${ref}`, name, code, reason };
  };
  if (cells.length !== width) {
    return refuse('invalid_feature', `it has ${cells.length} cells, the first line has ${width}`);
  }
  const [latitude, longitude] = [numberOf(cell(names.latitude)), numberOf(cell(names.longitude))];
  if (latitude === null || longitude === null) {
    return refuse('no_geometry', 'it has no coordinates, or they are not numbers');
  }
  return {
    index,
    source,
    source_ref: ref ?? refFromContent(name, latitude, longitude),
    latitude,
    longitude,
    tags: readTags(cell, mapping),
    declared_sports: readSports(cell, mapping),
    dataset: mapping.attribution,
    licence: options.licence ?? mapping.licence,
  };
}

/** Decimal commas are as common as points when the delimiter is a semicolon. */
function numberOf(text: string | null): number | null {
  if (text === null || !/^[+-]?\d+(?:[.,]\d+)?$/.test(text)) return null;
  return Number(text.replace(',', '.'));
}

function readTags(cell: CellReader, { columns, is_private }: CsvMapping): Record<string, string> {
  const access = cell(is_private?.column);
  const said =
    access === null
      ? null
      : is_private?.true.includes(access)
        ? 'private'
        : is_private?.false?.includes(access)
          ? 'yes'
          : null;
  const tags = {
    name: cell(columns.name),
    'addr:full': cell(columns.address),
    'addr:city': cell(columns.city),
    'addr:country': cell(columns.country),
    phone: cell(columns.phone),
    website: cell(columns.url),
    access: said,
  };
  return Object.fromEntries(Object.entries(tags).filter((entry): entry is [string, string] => entry[1] !== null));
}

function readSports(cell: CellReader, { sports }: CsvMapping): Sport[] {
  const named = Array.isArray(sports) ? sports : new Map(Object.entries(sports.values)).get(cell(sports.column) ?? '');
  return SPORTS.filter((sport) => named?.includes(sport));
}
