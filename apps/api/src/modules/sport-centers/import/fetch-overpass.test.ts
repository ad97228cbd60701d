import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boundingBox } from '@sendlap/domain/geo.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { createTownService } from '#api/modules/towns/service.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testUnlessMissing } from '#test/skip-without.ts';
import { fetchArea } from './fetch-overpass.ts';
import { importCenters } from './import-centers.ts';
import { openAreaSource } from './import-source.ts';
import { openRecords } from './read/open-records.ts';
import { parseArea, splitIntoCells } from './read/overpass-area.ts';
import { ImportError } from './read/types.ts';

type Answer = (request: { box: number[]; asked: number }, response: ServerResponse) => void;

let server: Server;
let endpoint: string;
let folder: string;
let answer: Answer;
let asked: { box: number[]; agent: string; at_once: number }[];
let running = 0;
let waits: number[];

const tags = { leisure: 'sports_centre', sport: 'climbing', indoor: 'yes' };
const WORLD = [
  { type: 'node', id: 1, lat: 41.1, lon: 2.1, tags: { ...tags, name: 'Sala Uno' } },
  // On the edge of two cells of the area below: both return it.
  { type: 'way', id: 2, center: { lat: 41.2, lon: 2.5 }, nodes: [7, 8], tags: { ...tags, name: 'Sala Dos' } },
  { type: 'node', id: 3, lat: 41.3, lon: 2.9, tags: { ...tags, name: 'Sala Tres' } },
  { type: 'node', id: 4, lat: 41.3, lon: 2.8, tags: { sport: 'climbing', natural: 'cliff', name: 'Roca' } },
  { type: 'node', id: 5, lat: 41.4, lon: 2.7, tags: { ...tags, name: 'Sala Cinco' } },
];
const AREA = '2,41,3,41.5';

function elementsIn([south = 0, west = 0, north = 0, east = 0]: number[], without: number[] = []) {
  return WORLD.filter((element) => {
    const { lat, lon } = element.center ?? { lat: element.lat ?? 0, lon: element.lon ?? 0 };
    return !without.includes(element.id) && lat >= south && lat <= north && lon >= west && lon <= east;
  });
}

const answerAll: Answer = ({ box }, response) => {
  response.end(JSON.stringify({ version: 0.6, elements: elementsIn(box) }));
};

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  running += 1;
  const at_once = running;
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const question = new URLSearchParams(body).get('data') ?? '';
  const box = (/\[bbox:([^\]]+)\]/.exec(question)?.[1] ?? '').split(',').map(Number);
  expect(question).toMatch(/^\[out:json\]\[timeout:\d+\]/);
  asked.push({ box, agent: request.headers['user-agent'] ?? '', at_once });
  response.on('close', () => {
    running -= 1;
  });
  answer({ box, asked: asked.length }, response);
}

beforeAll(async () => {
  server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/interpreter`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sendlap-overpass-'));
  answer = answerAll;
  asked = [];
  waits = [];
});

afterEach(() => rmSync(folder, { recursive: true }));

const wait = async (ms: number) => void waits.push(ms);

function fetchCells(more: { fresh?: boolean; now?: () => number } = {}) {
  return fetchArea(parseArea(AREA), { endpoint, folder, fresh: false, on_cell: () => {}, wait, ...more });
}

describe('an area that is refused', () => {
  it('is no box, upside down, too large, or an unknown town', () => {
    for (const text of [
      '1,2,3',
      '2,41,2,42',
      '2,42,3,41',
      '-181,0,1,1',
      '0,0,1,91',
      '1,2,3,x',
      'Xqzzyq',
      '-180,-80,180,80',
    ]) {
      expect(() => parseArea(text), text).toThrow(ImportError);
    }
  });
});

describe('an area', () => {
  it('is queried in cells of at most half a degree without gaps, also across the date line', () => {
    expect(splitIntoCells({ west: 2, south: 41, east: 3.2, north: 41.5 })).toHaveLength(3);
    const cells = splitIntoCells({ west: 179.5, south: -17, east: -179.5, north: -16.4 });
    expect(cells.map(({ west, east }) => [west, east])).toEqual([
      [179.5, 180],
      [179.5, 180],
      [-180, -179.5],
      [-180, -179.5],
    ]);
    for (const { south, north } of cells) expect(north - south).toBeLessThanOrEqual(0.5);
  });

  it('covers a town by any of its names', () => {
    const town = createTownService().findTown('Londres') ?? expect.fail('London is not known');
    expect(town.name).toBe('London');
    const { west, north } = boundingBox(town, town.radius_km);
    const { box } = parseArea('Londres');
    expect(box.west).toBeCloseTo(west, 4);
    expect(box.north).toBeCloseTo(north, 4);
  });
});

describe('the queries', () => {
  it('are sent one at a time, with our user agent and a pause', async () => {
    expect(await fetchCells()).toHaveLength(2);
    expect(asked).toEqual([
      { box: [41, 2, 41.5, 2.5], agent: expect.stringContaining('Sendlap'), at_once: 1 },
      { box: [41, 2.5, 41.5, 3], agent: expect.stringContaining('Sendlap'), at_once: 1 },
    ]);
    expect(waits).toEqual([1000]);
  });

  it('wait as long as a busy server says, else longer each time, and are repeated after an incomplete answer', async () => {
    const answers: Answer[] = [
      (_, response) => response.writeHead(429, { 'retry-after': '7' }).end(),
      (_, response) => response.writeHead(504).end('<html>busy</html>'),
      (_, response) => response.end(JSON.stringify({ elements: [], remark: 'runtime error: Query timed out' })),
      (_, response) => response.end('{"elements": [{"type": "no'),
      (_, response) => response.destroy(),
      answerAll,
    ];
    answer = (request, response) => (answers.shift() ?? answerAll)(request, response);
    await fetchCells();
    expect(asked).toHaveLength(7);
    expect(waits).toEqual([7000, 10_000, 20_000, 40_000, 80_000, 1000]);
  });

  it('fail with a reason where a cell cannot be loaded, and resume there the next time', async () => {
    answer = (request, response) => {
      if (request.asked === 1) answerAll(request, response);
      else response.end(JSON.stringify({ elements: [], remark: 'runtime error: out of memory' }));
    };
    await expect(fetchCells()).rejects.toThrow('cell 2 of 2: the answer is incomplete: runtime error: out of memory');
    expect(asked).toHaveLength(7);
    expect(readdirSync(join(folder, '2_41_3_41.5'))).toEqual(['0.json']);
    answer = answerAll;
    asked = [];
    await fetchCells();
    expect(asked.map(({ box }) => box[1])).toEqual([2.5]);
  });

  it('are not repeated after a 400', async () => {
    answer = (_, response) => response.writeHead(400).end();
    await expect(fetchCells()).rejects.toThrow('answered 400');
    expect(asked).toHaveLength(1);
  });

  it('are not repeated within a day, unless the operator forces it', async () => {
    const [first = ''] = await fetchCells();
    await fetchCells();
    expect(asked).toHaveLength(2);
    await fetchCells({ fresh: true });
    expect(asked).toHaveLength(4);
    const yesterday = Date.now() / 1000 - 25 * 3600;
    utimesSync(first, yesterday, yesterday);
    await fetchCells();
    expect(asked).toHaveLength(5);
  });
});

describe('the import of an area', () => {
  let database: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ database, close } = await openTestDatabase());
  });

  afterAll(() => close());

  const run = (more: { may_close_many?: boolean } = {}) => {
    const source = openAreaSource(AREA, { endpoint, fresh: true, wait, data_dir: folder }, undefined);
    return importCenters({ ...source, database, ...more });
  };

  it('takes each place once, closes vanished places inside of it, and leaves those outside alone', async () => {
    await sql`truncate sport_centers cascade`.execute(database);
    expect(await run()).toMatchObject({ read: 5, imported: 4, merged_count: 0, by_reason: { crag: 1 }, closed: 0 });
    expect(await run()).toMatchObject({ read: 5, imported: 0, unchanged: 4, closed: 0 });
    await sql`
      insert into sport_centers (id, name, latitude, longitude, time_zone, source, source_ref, licence, attribution, content_hash,
        search_name, search_text, search_city)
      values (gen_random_uuid(), 'Far', 50, 8, 'Europe/Berlin', 'osm', 'node/99', 'ODbL-1.0', 'x', 'x', 'far', 'far', '')`.execute(
      database,
    );
    answer = ({ box }, response) => response.end(JSON.stringify({ elements: elementsIn(box, [5]) }));
    expect(await run()).toMatchObject({ read: 4, unchanged: 3, closed: 1 });
    const closed = await database
      .selectFrom('sport_centers')
      .select('name')
      .where('closed_at', 'is not', null)
      .execute();
    expect(closed).toEqual([{ name: 'Sala Cinco' }]);
    answer = (_, response) => response.end('{"elements": []}');
    await expect(run()).rejects.toThrow('3 of 3 open centers of osm are not in it');
  });

  const real = process.env.CENTERS_DATA_DIR;

  testUnlessMissing(
    real === undefined ? 'CENTERS_DATA_DIR' : undefined,
    'of a real answer, cell by cell, equals the import of the whole answer',
    async () => {
      const file = join(real ?? '', 'importer/overpass-2021-sport-climbing-nodes.json');
      const { elements } = JSON.parse(readFileSync(file, 'utf8')) as { elements: { lat: number; lon: number }[] };
      const within = ([south = 0, west = 0, north = 0, east = 0]: number[]) =>
        elements.filter(({ lat, lon }) => lat >= south && lat <= north && lon >= west && lon <= east);
      answer = ({ box }, response) => response.end(JSON.stringify({ elements: within(box) }));
      await sql`truncate sport_centers cascade`.execute(database);
      const text = JSON.stringify({ elements: within([47, 7, 50, 12]) });
      const expected = await importCenters({ database, open: async () => openRecords(new Blob([text])) });
      await sql`truncate sport_centers cascade`.execute(database);
      const source = openAreaSource('7,47,12,50', { endpoint, fresh: true, wait, data_dir: folder }, undefined);
      const report = await importCenters({ ...source, database });
      expect(asked).toHaveLength(60);
      expect(expected.imported).toBeGreaterThan(50);
      const { read, imported, merged_count, by_reason } = expected;
      expect(report).toMatchObject({ read, imported, merged_count, by_reason, closed: 0 });
    },
  );
});
