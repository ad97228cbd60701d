import { onTestFinished, vi } from 'vitest';

/** Replaces the map, by default by nothing: jsdom cannot draw it, and its code would only fail, and slowly. */
export function stubMap(draw: () => null = () => null): void {
  const path = '#web/features/sport-centers/map/CenterMap.tsx';
  vi.doMock(path, () => ({ CenterMap: draw }));
  onTestFinished(() => {
    vi.doUnmock(path);
  });
}
