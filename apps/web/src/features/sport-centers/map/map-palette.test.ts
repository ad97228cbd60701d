import { afterEach, expect, test, vi } from 'vitest';
import { readMapPalette } from './map-palette.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A browser in which the nth probe has the colour n, and a canvas that returns the painted pixels. */
function stubBrowser() {
  const calls: string[] = [];
  const probes: object[] = [];
  const painted = new Map<number, string>();
  const context = {
    fillStyle: '',
    fillRect: (x: number) => painted.set(x, context.fillStyle),
    getImageData: (_x: number, _y: number, width: number) => {
      calls.push('read pixels');
      const pixels = Array.from({ length: width }, (_, x) => [Number(painted.get(x)), 7, 9, 255]);
      return { data: Uint8ClampedArray.from(pixels.flat()) };
    },
  };
  vi.stubGlobal('document', { createElement: () => ({ style: {}, remove: () => calls.push('remove') }) });
  vi.stubGlobal('getComputedStyle', (probe: object) => {
    calls.push('read style');
    return { color: String(probes.indexOf(probe)) };
  });
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext = () => context;
    },
  );
  const append = (...added: object[]) => {
    calls.push('append');
    probes.push(...added);
  };
  return { calls, element: { append } as unknown as HTMLElement };
}

test('each colour of the map is the pixel of its own token', () => {
  const { element } = stubBrowser();
  const palette = readMapPalette(element);
  expect([palette.water, palette.land, palette.border]).toEqual(['rgb(0, 7, 9)', 'rgb(1, 7, 9)', 'rgb(2, 7, 9)']);
  expect(new Set(Object.values(palette)).size).toBe(Object.keys(palette).length);
});

test('the styles of all colours are read after the page has changed once, and their pixels once', () => {
  const { calls, element } = stubBrowser();
  const count = Object.keys(readMapPalette(element)).length;
  const reads = Array.from({ length: count }, () => 'read style');
  const removals = Array.from({ length: count }, () => 'remove');
  expect(calls).toEqual(['append', ...reads, ...removals, 'read pixels']);
});
