import { onTestFinished, vi } from 'vitest';

/** Replaces the map, by default with an empty one: jsdom cannot draw it, and loading the real one is slow. */
export function stubMap(draw: () => null = () => null): void {
  const path = '#web/features/sport-centers/map/CenterMap.tsx';
  vi.doMock(path, () => ({ CenterMap: draw }));
  onTestFinished(() => {
    vi.doUnmock(path);
  });
}
