import { afterEach, expect, test, vi } from 'vitest';
import { drawPin } from './map-images.ts';

const PALETTE = { climb: '#111', on_climb: '#fff', swim: '#222', on_swim: '#fff', surface: '#eee' };

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A canvas that draws nothing, and the recorded `getContext` calls. */
function stubCanvas() {
  const getContext = vi.fn((..._asked: unknown[]) => {
    const pixels = (_x: number, _y: number, width: number, height: number) => ({ width, height });
    return new Proxy({} as Record<string, unknown>, {
      get: (known, name: string) => known[name] ?? (name === 'getImageData' ? pixels : () => {}),
    });
  });
  const canvas = function (this: Record<string, unknown>, width: number, height: number) {
    Object.assign(this, { width, height, getContext });
  };
  vi.stubGlobal('OffscreenCanvas', canvas);
  vi.stubGlobal('Path2D', class {});
  return getContext;
}

test('a pin is drawn where its pixels can be read without waiting for the graphics card', () => {
  const getContext = stubCanvas();
  expect(drawPin('pin-both', PALETTE as Parameters<typeof drawPin>[1])).toEqual({ width: 180, height: 102 });
  expect(getContext.mock.calls).toEqual([['2d', { willReadFrequently: true }]]);
});

test('a name that is no pin has no picture', () => {
  stubCanvas();
  expect(drawPin('pin-curling', PALETTE as Parameters<typeof drawPin>[1])).toBeNull();
});
