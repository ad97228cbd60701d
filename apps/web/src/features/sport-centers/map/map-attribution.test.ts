import { expect, it } from 'vitest';
import { otherAuthors } from './map-attribution.ts';

it.each([
  ['', ''],
  ['© OpenStreetMap contributors (ODbL)', ''],
  ['&copy; OpenStreetMap', ''],
  ['<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap contributors</a>', ''],
  [
    '<a href="https://openmaptiles.org/" target="_blank">&copy; OpenMapTiles</a> <a href="https://osm.org">&copy; OpenStreetMap contributors</a>',
    '© OpenMapTiles',
  ],
  ['<a href="https://protomaps.com">Protomaps</a> © <a href="https://osm.org">OpenStreetMap</a>', 'Protomaps'],
  ['© Institut Cartogràfic, © OpenStreetMap contributors', '© Institut Cartogràfic'],
])('of %j a map names %j beside OpenStreetMap', (attribution, others) => {
  expect(otherAuthors(attribution)).toBe(others);
});

it.each(['<img src=x onerror=alert(1)>', '<<b>script>alert(1)</script>'])('leaves no tag of %j', (attribution) => {
  expect(otherAuthors(attribution)).not.toMatch(/[<>]/);
});
