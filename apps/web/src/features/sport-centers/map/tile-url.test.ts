import { expect, test } from 'vitest';
import { parseTileUrl, tileUrlTemplate } from './tile-url.ts';

test.each([
  'sendlap://moon/1/0/0',
  'sendlap://world/1/0',
  'sendlap://world/1/0/0.mvt',
  'sendlap://world/-1/0/0',
  'sendlap://world/../../secrets/1/0/0',
  'https://example.org/world/1/0/0',
])('%s is no tile of ours', (address) => {
  expect(() => parseTileUrl(address)).toThrow(TypeError);
});

test.each(['world', 'streets'] as const)(
  'a tile of %s is read back from the address that the style gives it',
  (layer) => {
    const address = tileUrlTemplate(layer).replace('{z}', '14').replace('{x}', '8261').replace('{y}', '6050');
    expect(parseTileUrl(address)).toEqual({ layer, zoom: 14, x: 8261, y: 6050 });
  },
);
