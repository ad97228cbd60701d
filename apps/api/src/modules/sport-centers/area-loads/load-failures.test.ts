import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  actsOf,
  BILBAO,
  cancel,
  countCenters,
  ended,
  list,
  overpass,
  request,
  send,
  shareLoadScene,
} from '#test/scenes/load-scene.ts';
import { OverpassServer } from '#test/servers/overpass-server.ts';

shareLoadScene({ load_check_interval_ms: 100 });

describe('refused, and nothing is queried:', () => {
  test.each([
    ['a town that does not exist', { town_id: 'geonames:1' }, 'town_unknown'],
    ['a name', { town_id: 'Bilbao' }, 'validation_failed'],
    ['a town with an area', { town_id: BILBAO.id, latitude: 1, longitude: 1, radius_km: 1 }, 'validation_failed'],
    ['a place off the earth', { latitude: 91, longitude: 0, radius_km: 5 }, 'validation_failed'],
    ['an area without a size', { latitude: 43, longitude: -3, radius_km: 0 }, 'validation_failed'],
    ['more than 2,500 km²', { latitude: 43, longitude: -3, radius_km: 26 }, 'area_too_large'],
    [
      'a circle around a pole, whose box goes around the earth',
      { latitude: 89.9, longitude: 0, radius_km: 25 },
      'area_too_large',
    ],
  ])('%s', async (_name, payload, code) => {
    expect((await send(payload)).json().code).toBe(code);
    expect([overpass.queries, await list()]).toEqual([[], []]);
  });

  test('to cancel a load that does not exist', async () => {
    expect((await cancel('3f2b8c1e-6f0d-4f5e-9a57-0c1d2e3f4a5b')).code).toBe('area_load_not_found');
  });
});

describe('a load fails with one line, saves nothing, and can be requested again, after', () => {
  test.each([
    ['garbage', (response: ServerResponse) => void response.end('<html>'), 'the answer is broken'],
    [
      'half a reply',
      (response: ServerResponse) => void response.end('{"elements":[],"remark":"runtime error: out of memory"}'),
      'the answer is incomplete: runtime error: out of memory',
    ],
    ['504', (response: ServerResponse) => void response.writeHead(504).end(), 'answered 504'],
    ['a refusal', (response: ServerResponse) => void response.writeHead(400).end(), 'answered 400'],
    ['a lost connection', (response: ServerResponse) => void response.destroy(), "can't be reached"],
    ['a redirect', (response: ServerResponse) => void response.writeHead(302, { location: '/' }).end(), 'answered 302'],
    [
      'a remark without end',
      (response: ServerResponse) => void response.end(JSON.stringify({ elements: [], remark: 'x'.repeat(1e6) })),
      'the answer is incomplete: xxx',
    ],
    [
      'too many elements',
      (response: ServerResponse) => void response.end(`{"elements":[${Array(50_001).fill('{}').join()}]}`),
      'more than 50000 elements',
    ],
    [
      'more bytes than a town can have',
      (response: ServerResponse) => void response.end(Buffer.alloc(65e6, ' ')),
      'larger than 64 MB',
    ],
  ])('%s', async (_name, reply, reason) => {
    overpass.reply = reply;
    const load = await ended((await request(BILBAO)).id);
    expect(load).toMatchObject({ status: 'failed', report: null });
    expect(load.failure).toContain(reason);
    expect(load.failure).toMatch(/^.{1,300}$/);
    expect(await countCenters()).toBe(0);
    overpass.reply = OverpassServer.whole;
    expect(await ended((await request(BILBAO)).id)).toMatchObject({ status: 'done' });
    expect(await actsOf()).toContain('area_load_failed');
  });
});
