import { expect, test } from 'vitest';
import { radarPoints, toPolygon } from './radar.ts';

test('the first corner is straight up and the others follow clockwise', () => {
  const [top, right, bottom, left] = radarPoints([100, 100, 100, 100], 50, 40);
  expect(top).toEqual({ x: 50, y: 10 });
  expect(right).toEqual({ x: 90, y: 50 });
  expect(bottom).toEqual({ x: 50, y: 90 });
  expect(left).toEqual({ x: 10, y: 50 });
});

test('a value is a share of the way to the edge, and nothing leaves the drawing', () => {
  const [half, beyond, below] = radarPoints([50, 130, -20], 100, 80);
  expect(half).toEqual({ x: 100, y: 60 });
  expect(Math.hypot((beyond?.x ?? 0) - 100, (beyond?.y ?? 0) - 100)).toBeCloseTo(80, 1);
  expect(below).toEqual({ x: 100, y: 100 });
});

test('a polygon is written as pairs', () => {
  expect(toPolygon(radarPoints([100, 0], 10, 10))).toBe('10,0 10,10');
});
