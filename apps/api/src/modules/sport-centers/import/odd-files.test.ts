import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { importCenters } from './import-centers.ts';
import { openFileSource } from './import-source.ts';
import type { CsvMapping } from './read/csv-mapping.ts';

const folder = mkdtempSync(join(tmpdir(), 'sendlap-odd-'));
let database: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
});

afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

beforeEach(async () => {
  await sql`truncate sport_centers cascade`.execute(database);
});

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function load(path: string, mapping?: Partial<CsvMapping>, report_path?: string) {
  // With a byte order mark, as Windows editors write it.
  const marked = mapping && { mapping: write('mapping.json', `\ufeff${JSON.stringify(mapping)}`) };
  const source = await openFileSource(path, { complete: false, ...marked }, undefined);
  return importCenters({ database, ...source, ...(report_path && { report_path }) });
}

const collection = (features: object[], more: object = {}) =>
  JSON.stringify({ type: 'FeatureCollection', ...more, features });
const hall = (properties: object, more: object = {}) => ({
  type: 'Feature',
  id: 'node/1',
  properties: { leisure: 'sports_centre', sport: 'climbing', indoor: 'yes', name: 'Sala', ...properties },
  geometry: { type: 'Point', coordinates: [2.17, 41.4] },
  ...more,
});

const mapping: Partial<CsvMapping> = {
  columns: { name: 'Name', latitude: 'Lat', longitude: 'Lon', ref: 'Id' },
  sports: ['climbing'],
  delimiter: ';',
  source: 'city',
  licence: 'CC0-1.0',
  attribution: 'City',
};
const HEADER = 'Id;Name;Lat;Lon';
const readCenters = () => database.selectFrom('sport_centers').selectAll().orderBy('source_ref').execute();

describe('a file that is refused as a whole', () => {
  const table = (name: string) => `${HEADER}\n1;Sala;41.1;2.1\n2;${name};41.2;2.2\n`;

  it('has another encoding than the expected one, and the error names the line', async () => {
    const latin1 = (text: string) => Buffer.from(text, 'latin1');
    const message = 'line 3: this is not UTF-8 text';
    await expect(load(write('a.csv', latin1(table('Cañón'))), mapping)).rejects.toThrow(message);
    const pretty = JSON.stringify({ features: [hall({ name: 'Sala Cañón' })] }).replaceAll('{', '\n{');
    await expect(load(write('a.json', latin1(pretty)))).rejects.toThrow('line 4: this is not UTF-8 text');
    const windows = Buffer.from(`\ufeff${table('Sala')}`, 'utf16le');
    await expect(load(write('b.csv', windows), mapping)).rejects.toThrow('line 1: this is not UTF-8 text');
    const cut = Buffer.from(table('Cañón')).subarray(0, -'ón;41.2;2.2\n'.length - 2);
    await expect(load(write('c.csv', cut), mapping)).rejects.toThrow(message);
    expect(await readCenters()).toEqual([]);
    await load(write('a.csv', latin1(table('Cañón'))), { ...mapping, encoding: 'latin1' });
    expect((await readCenters()).map(({ name }) => name)).toEqual(['Sala', 'Cañón']);
  });

  it('is a pipe or a device, which can be read only once', async () => {
    await expect(load(devNull)).rejects.toThrow('it is a pipe or a device');
  });

  it('has a mapped column twice', async () => {
    const twice = write('twice.csv', `${HEADER};Name\n1;Sala;41.1;2.1;Bloc\n`);
    await expect(load(twice, mapping)).rejects.toThrow('the file has more than one column "Name"');
  });
});

describe('a report that cannot be written', () => {
  it.each([
    ['its folder is not there', () => join(folder, 'nowhere', 'report.json')],
    ['a folder has its name', () => folder],
  ])('because %s stops the import', async (_, path) => {
    const file = write('good.json', collection([hall({})]));
    await expect(load(file, undefined, path())).rejects.toThrow("the report can't be written");
    expect(await readCenters()).toEqual([]);
    expect(existsSync(`${path()}.part`)).toBe(false);
  });
});

describe('a table', () => {
  it('may have unused columns without a name or with equal names', async () => {
    const rows = `${HEADER};;;Extra;Extra\n1;Sala;41.1;2.1;;;a;b\n2;Bloc;41.2;2.2;;;a\n`;
    expect(await load(write('wide.csv', rows), mapping)).toMatchObject({
      imported: 1,
      refused: [{ ref: 'city:2', reason: 'it has 7 cells, the first line has 8' }],
    });
  });

  it('may contain the names of JavaScript properties', async () => {
    const words = ['constructor', '__proto__', 'toString'].map((word, at) => `${at};Sala ${at};41.${at};2.1;${word}\n`);
    const report = await load(write('words.csv', `${HEADER};Kind\n${words.join('')}`), {
      ...mapping,
      sports: { column: 'Kind', values: { Hall: ['climbing'] } },
    });
    expect(report).toMatchObject({ read: 3, refused_count: 3 });
  });
});

describe('a record', () => {
  it('with very long fields becomes a center with truncated ones', async () => {
    const book = Array.from({ length: 20_000 }, (_, at) => `word${at}`).join(' ');
    const names = Array.from({ length: 500 }, (_, at) => `Nom ${at}`).join(';');
    const features = [
      hall({ 'addr:city': book, license: book, alt_name: names }),
      hall({ source: book, types: ['climbing'] }, { id: undefined, geometry: { type: 'Point', coordinates: [3, 42] } }),
    ];
    expect(await load(write('book.json', collection(features, { name: book })))).toMatchObject({ imported: 2 });
    for (const center of await readCenters()) expect(JSON.stringify(center).length).toBeLessThan(10_000);
  });

  it('with geometry nested too deeply is refused', async () => {
    const nest = (open: string, middle: string, end: string) => open.repeat(50_000) + middle + end.repeat(50_000);
    const record = (id: number, geometry: string) =>
      `{"type":"Feature","id":"node/${id}","properties":{"name":"Sala"},"geometry":${geometry}}`;
    const deep = [
      record(1, `{"type":"Polygon","coordinates":${nest('[', '2,41', ']')}}`),
      record(2, nest('{"type":"GeometryCollection","geometries":[', '', ']}')),
    ];
    expect(await load(write('deep.json', `{"features":[${deep.join(',')}]}`))).toMatchObject({
      read: 2,
      by_reason: { no_geometry: 2 },
    });
  });
});
