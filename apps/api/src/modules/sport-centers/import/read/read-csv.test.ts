import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CsvMapping, parseMapping } from './csv-mapping.ts';
import { openRecords, type ReadRecord } from './open-records.ts';
import { openFile } from './read-file.ts';
import { ImportError } from './types.ts';

const mapping: CsvMapping = {
  columns: { name: 'Name', latitude: 'Lat', longitude: 'Lon', ref: 'Id', city: 'Ort', address: 'Straße', url: 'Web' },
  sports: { column: 'Art', values: { Kletterhalle: ['climbing'], Bad: ['swimming'] } },
  is_private: { column: 'Zugang', true: ['Mitglieder'], false: ['alle'] },
  delimiter: ';',
  source: 'stadt-x',
  licence: 'CC-BY-4.0',
  attribution: 'Stadt X',
};
const HEADER = 'Id;Name;Lat;Lon;Ort;Straße;Web;Art;Zugang';

async function readTable(text: string, more: Partial<CsvMapping> = {}): Promise<ReadRecord[]> {
  return Array.fromAsync(openRecords(new Blob([text]), { mapping: { ...mapping, ...more } }).records);
}

const errorOf = (text: string, more: Partial<CsvMapping> = {}) =>
  readTable(text, more).then(
    () => expect.fail('the table was read'),
    (error: unknown) => (error instanceof ImportError ? error : expect.fail(String(error))),
  );

describe('a mapping file that is refused', () => {
  const messageOf = (text: string): string => {
    try {
      parseMapping(text);
    } catch (error) {
      if (error instanceof ImportError) return error.message;
    }
    return expect.fail('the mapping was read');
  };

  it('is not JSON, lacks a field, or has an unknown one, each named', () => {
    expect(messageOf('{')).toContain('the mapping file is not JSON');
    const { licence: _licence, ...rest } = mapping;
    const message = messageOf(JSON.stringify({ ...rest, licences: 'x', columns: { ...mapping.columns, name: '' } }));
    expect(message).toContain('columns.name: ');
    expect(message).toContain('licence: ');
    expect(message).toContain('licences');
    expect(messageOf(JSON.stringify({ ...mapping, sports: ['chess'] }))).toContain('sports: ');
  });
});

describe('a table that is refused as a whole', () => {
  it('is empty, lacks a named column, or has a quote that never ends', async () => {
    expect(await errorOf('')).toMatchObject({ code: 'not_csv', line: 1 });
    const missing = await errorOf('Id;Name;Lat;Lon\n1;A;41;2');
    expect(missing.code).toBe('bad_mapping');
    expect(missing.message).toBe(
      'the file has no column "Ort", "Straße", "Web", "Art", "Zugang"; its columns are "Id", "Name", "Lat", "Lon"',
    );
    expect(await errorOf(`${HEADER}\n1;"A;41;2;x;y;z;Bad;alle\n`)).toMatchObject({ code: 'not_csv' });
  });
});

describe('the rows of a table', () => {
  it('become places, with quotes, decimal commas, and facts by column', async () => {
    const [hall, bath] = await readTable(
      `\ufeff${HEADER}\r\n7;"Halle ""Nord""; alt";47,1;11,5;Innsbruck;Weg 1;https://h.example;Kletterhalle;Mitglieder\r\n\r\n8;Bad;47.2;11.6;;;;Bad;alle`,
    );
    expect(hall).toEqual({
      index: 0,
      source: 'stadt-x',
      source_ref: '7',
      latitude: 47.1,
      longitude: 11.5,
      tags: {
        name: 'Halle "Nord"; alt',
        'addr:full': 'Weg 1',
        'addr:city': 'Innsbruck',
        website: 'https://h.example',
        access: 'private',
      },
      declared_sports: ['climbing'],
      dataset: 'Stadt X',
      licence: 'CC-BY-4.0',
    });
    expect(bath).toMatchObject({
      source_ref: '8',
      tags: { name: 'Bad', access: 'yes' },
      declared_sports: ['swimming'],
    });
  });

  it('are refused with a reason where they have no position, too few cells, or another position than their address', async () => {
    const records = await readTable(
      `${HEADER}\n1;A;;2;x;y;z;Bad;alle\n2;B;41\n3;C;north;2;x;y;z;Bad;alle\n4;D;141;2;;;;Bad;\n`,
    );
    expect(records).toMatchObject([
      { ref: 'stadt-x:1', code: 'no_geometry' },
      { ref: 'stadt-x:2', code: 'invalid_feature', reason: 'it has 3 cells, the first line has 9' },
      { ref: 'stadt-x:3', code: 'no_geometry' },
      { ref: 'stadt-x:4', code: 'swapped_coordinates' },
    ]);
  });

  it('get a reference from their name and place where no column has one, and one sport where all have it', async () => {
    const { ref: _ref, ...columns } = mapping.columns;
    const [record] = await readTable(`${HEADER}\n1;A;41;2;;;;Rugby;\n`, { columns, sports: ['climbing'] });
    expect(record).toMatchObject({ source_ref: expect.stringMatching(/^content\//), declared_sports: ['climbing'] });
  });

  it('are read in Latin 1 where the mapping says so', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sendlap-csv-'));
    try {
      const path = join(folder, 'a.csv');
      writeFileSync(path, Buffer.from(`${HEADER}\n1;Würzburg;41;2;;;;Bad;\n`, 'latin1'));
      const { records } = openRecords(await openFile(path), { mapping: { ...mapping, encoding: 'latin1' } });
      expect(await Array.fromAsync(records)).toMatchObject([{ tags: { name: 'Würzburg' } }]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
