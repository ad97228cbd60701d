import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCenterScene, type CenterScene } from '#test/scenes/center-scene.ts';

let scene: CenterScene;
let get: CenterScene['get'];

beforeAll(async () => {
  const names = ['Hall 1', 'Hall 2', 'Hall 3', 'Club'];
  scene = await buildCenterScene(names.map((name) => ({ name, at: [41.4, 2.1], sports: ['climbing'] })));
  get = scene.get;
});

afterAll(() => scene.close());

function cursorOf(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

describe('reads of sport centers refuse', () => {
  const here = 'latitude=41.4&longitude=2.1';
  it.each([
    ['a latitude out of range', '/v1/sport-centers/search?latitude=90.01&longitude=0'],
    ['a longitude out of range', '/v1/sport-centers/search?latitude=0&longitude=-180.5'],
    ['a latitude that is no number', '/v1/sport-centers/search?latitude=NaN&longitude=0'],
    ['a latitude without a longitude', '/v1/sport-centers/search?latitude=41'],
    ['a radius of 0', `/v1/sport-centers/search?${here}&radius_km=0`],
    ['a negative radius', `/v1/sport-centers/search?${here}&radius_km=-1`],
    ['a radius over 500 km', `/v1/sport-centers/search?${here}&radius_km=500.1`],
    ['a radius without a position', '/v1/sport-centers/search?radius_km=5'],
    ['an order by distance without a position', '/v1/sport-centers/search?sort=distance'],
    ['an unknown sport', '/v1/sport-centers/search?sport=chess'],
    ['an unknown order', '/v1/sport-centers/search?sort=rating'],
    ['a box of three numbers', '/v1/sport-centers/search?bbox=1,2,3'],
    ['a box upside down', '/v1/sport-centers/search?bbox=1,10,3,4'],
    ['a country of three letters', '/v1/sport-centers/search?country=ESP'],
    ['an unknown parameter', '/v1/sport-centers/search?q=roc&fuzzy=1'],
    ['a repeated parameter', '/v1/sport-centers/search?q=roc&q=piscina'],
    ['a page of 101', '/v1/sport-centers?limit=101'],
    ['a page of 0', '/v1/sport-centers?limit=0'],
    ['an unknown parameter of the list', '/v1/sport-centers?sort=name'],
    ['a parameter of the filter options', '/v1/sport-centers/filter-options?x=1'],
    ['an id that is no UUID', '/v1/sport-centers/42'],
    ['an unknown sport to find', `/v1/sports/chess/find?${here}`],
    ['a find without a position', '/v1/sports/climbing/find'],
    ['a recommendation without a position', '/v1/sport-centers/recommended'],
    ['a recommendation within 501 km', `/v1/sport-centers/recommended?${here}&radius_km=501`],
    ['a find in a radius of 0', `/v1/sports/climbing/find?${here}&radius_km=0`],
    ['a find beyond the pole', '/v1/sports/climbing/find?latitude=-91&longitude=0'],
    ['an empty text', '/v1/sport-centers/search?q='],
    ['an endless cursor', `/v1/sport-centers?cursor=${'a'.repeat(513)}`],
  ])('%s', async (_, url) => {
    const { status, body } = await get(url);
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, code: 'validation_failed' });
    expect(body.message).not.toBe('');
  });

  it('U+0000 and broken UTF-8 in a text', async () => {
    expect((await get('/v1/sport-centers/search?q=a%00b')).status).toBe(400);
    expect((await get('/v1/sport-centers/search?q=%ED%A0%80')).status).toBeLessThan(500);
  });

  it('a sport center that does not exist, with its own code', async () => {
    const { status, body } = await get(`/v1/sport-centers/${randomUUID()}`);
    expect([status, body.code]).toEqual([404, 'sport_center_not_found']);
  });

  it.each([
    ['no JSON', 'bm90IGpzb24'],
    ['another shape', cursorOf({ rank: 1 })],
    ['no id', cursorOf(['hall', 'x', 'y'])],
    ['another query', cursorOf(['hall', randomUUID(), 'AAAAAAAA'])],
    ['a distance for a name', cursorOf([1, randomUUID(), 'AAAAAAAA'])],
    ['an endless number', Buffer.from('[1e999,"x","y"]').toString('base64url')],
  ])('a crafted cursor: %s', async (_, cursor) => {
    const { status, body } = await get(`/v1/sport-centers?cursor=${cursor}`);
    expect([status, body.code]).toEqual([400, 'cursor_invalid']);
  });

  it('a cursor of another search', async () => {
    const first = await get('/v1/sport-centers/search?q=hall&limit=2');
    const cursor = first.body.data.next_cursor;
    expect((await get(`/v1/sport-centers/search?q=hall&limit=5&cursor=${cursor}`)).status).toBe(200);
    expect((await get(`/v1/sport-centers/search?q=club&limit=2&cursor=${cursor}`)).body.code).toBe('cursor_invalid');
    expect((await get(`/v1/sport-centers?limit=2&cursor=${cursor}`)).body.code).toBe('cursor_invalid');
  });
});
