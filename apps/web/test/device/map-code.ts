import { onTestFinished, vi } from 'vitest';

/** Replaces the map by nothing: jsdom cannot draw it, and its code would only fail, and slowly. */
export function stubMap(): void {
  const path = '#web/features/sport-centers/map/CenterMap.tsx';
  vi.doMock(path, () => ({ CenterMap: () => null }));
  onTestFinished(() => {
    vi.doUnmock(path);
  });
}
