import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { classify } from './classify/classify.ts';
import { fetchArea } from './fetch-overpass.ts';
import { parseArea } from './read/overpass-area.ts';
import type { Tags } from './read/types.ts';

let question: string;
const folder = mkdtempSync(join(tmpdir(), 'sendlap-question-'));

beforeAll(async () => {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    question = new URLSearchParams(body).get('data') ?? '';
    response.end('{"elements":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await fetchArea(parseArea('2,41,2.1,41.1'), { endpoint, folder, fresh: true, on_cell: () => {} });
  server.close();
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Whether a server finds an element with these tags: one of the `nwr` lines matches with all its filters. */
function finds(tags: Tags): boolean {
  const lines = [...question.matchAll(/nwr((?:\[[^\]]*\])+);/g)].map(([, filters = '']) => filters);
  expect(lines.length).toBeGreaterThan(2);
  return lines.some((line) => [...line.matchAll(/\[([^\]]*)\]/g)].every(([, filter = '']) => passes(tags, filter)));
}

function passes(tags: Tags, filter: string): boolean {
  const [, not, anyKey, key = '', value = '.'] =
    /^(!)?(~)?"([^"]*)"(?:~"([^"]*)")?$/.exec(filter) ?? expect.fail(filter);
  const values = Object.entries(tags).filter(([name]) => (anyKey ? new RegExp(key).test(name) : name === key));
  return values.some(([, text]) => new RegExp(value).test(text)) === (not === undefined);
}

it('an area asks for all that the rules take for a sport center', () => {
  const options = (...values: string[]) => fc.constantFrom(...values);
  const tags = fc.record(
    {
      name: options('Sala', 'Uimahalli', 'Piscina municipal', 'Swimming Pool', 'Boulderhalle', 'Climbing Gym'),
      official_name: options('Aquatics Centre'),
      brand: options('Boulderwelt', 'Hallenbad'),
      leisure: options(
        ...['sports_centre', 'sports_center', 'sports_hall', 'fitness_centre', 'sports_club', 'park', 'stadium'],
        ...['water_park', 'swimming_pool', 'climbing_gym', 'pitch', 'sport_centre', 'swimming_area'],
      ),
      amenity: options('swimming_pool', 'public_bath', 'climbing_gym', 'gym'),
      sport: options('climbing', 'indoor_climbing', 'tennis;bouldering', 'swimming', 'tennis; swimming', 'tennis'),
      building: options('yes'),
      indoor: options('yes'),
      'addr:street': options('Gran Via'),
      phone: options('+34 1'),
      shop: options('sports'),
    },
    { requiredKeys: [] },
  );
  const record = { index: 0, source: 'osm', source_ref: 'node/1', latitude: 41, longitude: 2 };
  const more = { declared_sports: null, dataset: null, licence: null };
  let centers = 0;
  fc.assert(
    fc.property(tags, (some) => {
      const said: Tags = JSON.parse(JSON.stringify(some));
      if (!('center' in classify({ ...record, ...more, tags: said }))) return;
      centers += 1;
      expect(finds(said)).toBe(true);
    }),
    { numRuns: 5000 },
  );
  expect(centers).toBeGreaterThan(500);
  expect(finds({ leisure: 'sports_centre', sport: 'tennis', name: 'Club' })).toBe(false);
});
