import { describe, expect, it } from 'vitest';
import { openRecords } from './open-records.ts';
import { ImportError, type ReadOptions, type Refusal, type SourceRecord } from './types.ts';

async function readRecords(text: string, options: ReadOptions = {}) {
  const { records, notes } = openRecords(new Blob([text]), options);
  const found: SourceRecord[] = [];
  const refusals: Refusal[] = [];
  for await (const record of records) {
    if ('code' in record) refusals.push(record);
    else found.push(record);
  }
  return { read: found.length + refusals.length, records: found, refusals, notes };
}

function collection(features: unknown[], head: Record<string, unknown> = {}): string {
  return JSON.stringify({ type: 'FeatureCollection', ...head, features });
}

function point(longitude: number, latitude: number, properties: Record<string, unknown> = {}, id?: string) {
  return { type: 'Feature', id, properties, geometry: { type: 'Point', coordinates: [longitude, latitude] } };
}

async function errorOf(text: string): Promise<ImportError> {
  try {
    await readRecords(text);
  } catch (error) {
    if (error instanceof ImportError) return error;
  }
  throw new Error('the text was read');
}

describe('a file that is refused as a whole', () => {
  it('names line and column of a syntax error in the JSON', async () => {
    const error = await errorOf('{\n  "type": "FeatureCollection",\n  "features": [ oops ]\n}');
    expect(error.code).toBe('not_json');
    expect(error.line).toBe(3);
    expect(error.message).toBe('line 3, column 17: Unexpected token \'o\', at "oops ]"');
  });

  it('says that a truncated file is truncated, and where it ends', async () => {
    const whole = collection([point(2.1, 41.4, { name: 'A' }), point(2.2, 41.4, { name: 'B' })]).replaceAll(
      '},',
      '},\n',
    );
    const error = await errorOf(whole.slice(0, whole.length - 30));
    expect(error.message).toMatch(/^line \d+, column \d+: the file ends in the middle, it is truncated$/);
    expect(error.line).toBe(whole.slice(0, whole.length - 30).split('\n').length);
  });

  it('is an empty one, one of another format, or one with a broken line', async () => {
    expect((await errorOf(' \n')).message).toContain('the file is empty');
    expect((await errorOf('{"rows": []}')).code).toBe('unknown_format');
    expect((await errorOf('[1, 2]')).code).toBe('unknown_format');
    const lines = `${JSON.stringify(point(2.1, 41.4))}\n${JSON.stringify(point(2.2, 41.4))}\n{"type": "Fea`;
    expect(await errorOf(lines)).toMatchObject({ code: 'not_json', line: 3 });
  });
});

describe('a feature that is refused', () => {
  const codes = async (text: string) => (await readRecords(text)).refusals.map(({ code }) => code);

  it('is not a feature, or has no coordinates', async () => {
    expect(await codes(collection([7, null, { type: 'Point' }]))).toEqual([
      'invalid_feature',
      'invalid_feature',
      'invalid_feature',
    ]);
    const broken = [
      null,
      { type: 'Point', coordinates: [] },
      { type: 'Point', coordinates: ['2', '41'] },
      { type: 'Polygon', coordinates: [[]] },
    ];
    const features = broken.map((geometry) => ({ type: 'Feature', properties: { name: 'X' }, geometry }));
    expect(await codes(collection(features))).toEqual(Array(4).fill('no_geometry'));
  });

  it('has coordinates in metres, whether the file says so or not', async () => {
    const stated = { crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::9498' } } };
    const file = await readRecords(collection([point(22643.08, 77878.17, { fna: 'Polideportivo' })], stated));
    expect(file.refusals).toMatchObject([{ code: 'wrong_projection', name: 'Polideportivo' }]);
    expect(file.refusals[0]?.reason).toContain('EPSG:9498');
    expect(await codes(collection([point(448262, 4480000)]))).toEqual(['wrong_projection']);
    // Looks like degrees by chance, but the file says otherwise.
    expect(await codes(collection([point(12, 55)], stated))).toEqual(['wrong_projection']);
  });

  it('has a latitude that does not exist, or is at 0, 0', async () => {
    expect(await codes(collection([point(52.5, 113.4), point(120, 95), point(0, 0)]))).toEqual([
      'swapped_coordinates',
      'out_of_range',
      'out_of_range',
    ]);
  });

  it('has swapped coordinates that only its address reveals', async () => {
    const berlin = point(-71.08, 42.36, {
      address: 'Revaler Str. 99, 10245 Berlin',
      latitude: 13.454293,
      longitude: 52.507034,
    });
    const country = point(41.4, 2.17, { name: 'Sala', 'addr:country': 'ES' });
    const city = point(40.41, -3.7, { name: 'Sala', 'addr:city': 'Madrid' });
    const file = await readRecords(collection([berlin, country, city]));
    expect(file.refusals.map(({ code }) => code)).toEqual(Array(3).fill('swapped_coordinates'));
    expect(file.refusals[0]?.reason).toContain('Berlin');
    expect(file.records).toEqual([]);
  });

  it('holds half a surrogate pair, and the reason names the field', async () => {
    const text = collection([
      point(2.1, 41.4, { name: '\ud800 lone' }, 'node/1'),
      point(2.1, 41.4, { name: 'Sala', phone: '+34 \udc00' }, 'node/2'),
      point(2.1, 41.4, { name: 'Sala', tags: { 'addr:full': 'Calle \ud83e' } }, 'node/3'),
      point(2.1, 41.4, { name: 'Sala \ud83e\uddd7' }, 'node/4'),
    ]);
    const file = await readRecords(text);
    expect(file.read).toBe(4);
    expect(file.records.map(({ tags }) => tags.name)).toEqual(['Sala 🧗']);
    expect(file.refusals).toMatchObject([
      { ref: 'osm:node/1', code: 'invalid_text', name: '\ufffd lone' },
      { ref: 'osm:node/2', code: 'invalid_text', name: 'Sala' },
      { ref: 'osm:node/3', code: 'invalid_text' },
    ]);
    expect(file.refusals[2]?.reason).toBe('its "addr:full" is ill-formed text: it holds half of a surrogate pair');
  });

  it('has two different positions without a hint which is right', async () => {
    expect(await codes(collection([point(2.1, 41.4, { latitude: 48.8, longitude: 2.3 })]))).toEqual([
      'contradicting_coordinates',
    ]);
    expect(await codes(collection([point(2.1, 41.4, { latitude: 2.1, longitude: 41.4 })]))).toEqual([
      'swapped_coordinates',
    ]);
  });
});

describe('a file that is read', () => {
  it('keeps places whose address agrees, also near a border or with a city of the same name elsewhere', async () => {
    const file = await readRecords(
      collection([
        point(2.17, 41.4, { 'addr:country': 'ES' }),
        point(6.1, 46.2, { 'addr:country': 'FR' }),
        point(-74.9, 39.79, { 'addr:city': 'Berlin' }),
        point(2.1, 41.4, { latitude: 41.4001, longitude: 2.1001 }),
      ]),
    );
    expect(file).toMatchObject({ read: 4, refusals: [] });
  });

  it('gives one OpenStreetMap object one reference, whichever tool wrote the file', async () => {
    const ids = ['node/7', 'osm:node/7', 'n7', 'w12', 'a24', 'a25', 'madrid:4672'];
    const { records } = await readRecords(collection(ids.map((id) => point(2.1, 41.4, {}, id))));
    expect(records.map(({ source, source_ref }) => `${source} ${source_ref}`)).toEqual([
      'osm node/7',
      'osm node/7',
      'osm node/7',
      'osm way/12',
      'osm way/12',
      'osm relation/12',
      'madrid 4672',
    ]);
  });

  it('derives a reference from name and place where a feature has no id, and says that the licence is unknown', async () => {
    const text = collection([point(12.5, 55.6, { name: 'Hal', sport: null })]);
    const file = await readRecords(text, { file_name: 'copenhagen' });
    expect(file.records[0]).toMatchObject({ source: 'copenhagen', licence: null, tags: { name: 'Hal' } });
    expect(file.records[0]?.source_ref).toMatch(/^content\/[0-9a-f]{16}$/);
    expect(file.notes[0]).toContain('--licence');
    expect((await readRecords(text, { licence: 'CC0-1.0', source: 'mine' })).records[0]).toMatchObject({
      source: 'mine',
      licence: 'CC0-1.0',
    });
  });

  it('reads features line by line, with record separators too, and one single feature', async () => {
    const lines = `\u001e${JSON.stringify(point(2.1, 41.4))}\n\n\u001e${JSON.stringify(point(2.2, 41.4))}\n`;
    expect(await readRecords(lines)).toMatchObject({ read: 2, refusals: [] });
    expect(await readRecords(JSON.stringify(point(2.1, 41.4)))).toMatchObject({ read: 1 });
  });

  it('ignores a byte order mark and a semicolon after the end, and says so', async () => {
    const file = await readRecords(`\ufeff${collection([point(2.1, 41.4, {}, 'n1')])};\n`);
    expect(file.read).toBe(1);
    expect(file.notes[0]).toBe('line 1: a ";" after the end of the JSON was overlooked');
  });

  it('takes the middle of lines and areas, and drops control characters', async () => {
    const ring = [
      [2, 41],
      [4, 41],
      [4, 43],
      [2, 43],
      [2, 41],
    ];
    const area = {
      type: 'Feature',
      properties: { name: 'A\u0000B' },
      geometry: { type: 'MultiPolygon', coordinates: [[ring]] },
    };
    expect((await readRecords(collection([area]))).records[0]).toMatchObject({
      latitude: 42,
      longitude: 3,
      tags: { name: 'A B' },
    });
  });
});

describe('texts that would mislead or could not be stored', () => {
  it('lose control characters and those that reverse the text direction', async () => {
    const properties = {
      name: 'Sala\u202e \u2066Vertical\u2069',
      'addr:city': 'Ma\u200bdrid\u0007',
      license: 'CC0\u202c',
    };
    const { records } = await readRecords(collection([point(2.1, 41.4, properties)]));
    expect(records[0]).toMatchObject({ tags: { name: 'Sala Vertical', 'addr:city': 'Madrid' }, licence: 'CC0' });
  });

  it('are not used as identifiers, nor as the title of a file', async () => {
    const ids = ['madrid:\ud800', 'madrid:a\u0000b', 'madrid:a\u202eb'];
    const { records } = await readRecords(collection(ids.map((id) => point(2.1, 41.4, { name: id.slice(0, 6) }, id))));
    expect(records.map(({ source_ref }) => source_ref)).toEqual(Array(3).fill(expect.stringMatching(/^content\//)));
    const titled = async (name: string) => (await readRecords(collection([point(2.1, 41.4)], { name }))).records[0];
    expect(await titled('Gyms\u0000 of\u202e Spain')).toMatchObject({
      source: 'Gyms of Spain',
      dataset: 'Gyms of Spain',
    });
    expect(await titled('\ud800')).toMatchObject({ source: '\ufffd' });
  });
});

describe('Overpass JSON', () => {
  const corner = (id: number, lat: number, lon: number) => ({ type: 'node', id, lat, lon });
  const tags = { sport: 'climbing' };

  it('joins ways and relations from their nodes, and uses a given center', async () => {
    const elements = [
      corner(1, 41, 2),
      corner(2, 42, 3),
      { type: 'way', id: 5, nodes: [1, 2, 1], tags },
      { type: 'way', id: 6, center: { lat: 48, lon: 2 }, nodes: [1, 2], tags },
      { type: 'way', id: 7, nodes: [1, 2] },
      { type: 'relation', id: 8, members: [{ type: 'way', ref: 7, role: 'outer' }], tags },
      { type: 'node', id: 9, lat: 50, lon: 8, tags },
    ];
    const file = await readRecords(JSON.stringify({ elements }));
    expect(file.records.map(({ source_ref, latitude, longitude }) => [source_ref, latitude, longitude])).toEqual([
      ['way/5', 41.5, 2.5],
      ['way/6', 48, 2],
      ['relation/8', 41.5, 2.5],
      ['node/9', 50, 8],
    ]);
    expect(file).toMatchObject({
      read: 4,
      refusals: [],
      notes: ['3 elements without tags only carry the shape of ways and relations'],
    });
  });

  it('refuses ill-formed text', async () => {
    const elements = [{ type: 'node', id: 9, lat: 50, lon: 8, tags: { ...tags, name: '\ud800' } }];
    expect(await readRecords(JSON.stringify({ elements }))).toMatchObject({
      read: 1,
      records: [],
      refusals: [{ ref: 'osm:node/9', code: 'invalid_text' }],
    });
  });

  it('refuses ways without their nodes, rings of relations, and values that are not elements', async () => {
    const elements = [
      { type: 'way', id: 5, nodes: [1, 2], tags },
      { type: 'relation', id: 8, members: [{ type: 'relation', ref: 8 }], tags },
      { type: 'node', id: 9, tags },
      { type: 'area' },
      'node',
    ];
    const file = await readRecords(JSON.stringify({ elements }));
    expect(file.refusals.map(({ code }) => code)).toEqual([
      'missing_nodes',
      'missing_nodes',
      'no_geometry',
      'invalid_feature',
      'invalid_feature',
    ]);
    expect(file.read).toBe(5);
  });

  it('notes that the server stopped early', async () => {
    const file = await readRecords(JSON.stringify({ elements: [], remark: 'runtime error: Query timed out' }));
    expect(file.notes[0]).toContain('may be incomplete');
  });
});
