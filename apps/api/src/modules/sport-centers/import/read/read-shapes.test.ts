import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexElements, locate, readElement } from './read-shapes.ts';

const tags = { sport: 'climbing' };
const ELEMENTS = [
  { type: 'node', id: 1, lat: 41, lon: 2 },
  { type: 'node', id: 2, lat: 42, lon: 3 },
  // Listed twice: the element with tags is right.
  { type: 'node', id: 3, lat: 43, lon: 4, tags },
  { type: 'node', id: 3, lat: 0, lon: 0 },
  { type: 'way', id: 5, nodes: [1, 2, 1], tags },
  { type: 'way', id: 7, nodes: [1, 2] },
  { type: 'way', id: 8, bounds: { minlat: 50, maxlat: 52, minlon: 8, maxlon: 10 } },
  {
    type: 'relation',
    id: 10,
    members: [
      { type: 'way', ref: 7 },
      { type: 'node', ref: 3 },
    ],
    tags,
  },
  {
    type: 'relation',
    id: 11,
    members: [
      { type: 'relation', ref: 10 },
      { type: 'way', ref: 8 },
    ],
    tags,
  },
  {
    type: 'relation',
    id: 12,
    members: [
      { type: 'relation', ref: 12 },
      { type: 'way', ref: 99 },
    ],
    tags,
  },
  { type: 'way', id: 13, nodes: [77, 2], tags },
];
const EXPECTED = {
  'node/3': { latitude: 43, longitude: 4 },
  'way/5': { latitude: 41.5, longitude: 2.5 },
  'relation/10': { latitude: 42.25, longitude: 3.25 },
  'relation/11': { latitude: 46.625, longitude: 6.125 },
  'relation/12': null,
  'way/13': { latitude: 42, longitude: 3 },
};

function middles(file: object[]) {
  const elements = file.map(readElement);
  const shapes = indexElements(elements);
  const found = elements.filter((element) => element?.tagged);
  return Object.fromEntries(
    found.map((element) => [`${element?.type}/${element?.id}`, locate(element?.fields ?? {}, shapes)]),
  );
}

describe('the nodes of ways and relations', () => {
  it('are found anywhere in the file', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ELEMENTS, { minLength: ELEMENTS.length }), (elements) => {
        expect(middles(elements)).toEqual(EXPECTED);
      }),
    );
  });

  it('are not looked up for an element that states its center', () => {
    const corners = ELEMENTS.slice(0, 2);
    const centered = { type: 'way', id: 5, center: { lat: 1, lon: 2 }, nodes: [1, 2], tags };
    expect(middles([...corners, centered])).toEqual({ 'way/5': { latitude: 1, longitude: 2 } });
  });
});
