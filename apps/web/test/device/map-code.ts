import { onTestFinished, vi } from 'vitest';

/** jsdom draws nothing, so the map's code would only fail, and slowly. */
export function leaveMapOut(): void {
  const path = '#web/features/sport-centers/map/CenterMap.tsx';
  vi.doMock(path, () => ({ CenterMap: () => null }));
  onTestFinished(() => {
    vi.doUnmock(path);
  });
}
