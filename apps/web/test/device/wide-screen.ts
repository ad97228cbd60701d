import { onTestFinished, vi } from 'vitest';

/**
 * A window wider than a phone's: media queries about its width match. Call it before the app opens. Returns a function
 * that turns the device, between wide and narrow.
 */
export function widenScreen(): () => void {
  const ask = window.matchMedia;
  const listeners = new Set<() => void>();
  let matches = true;
  const wide = vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const answer = ask.call(window, query);
    if (!/min-width/.test(query)) return answer;
    const addEventListener = (_change: string, listener: () => void) => void listeners.add(listener);
    const removeEventListener = (_change: string, listener: () => void) => void listeners.delete(listener);
    return { ...answer, matches, addEventListener, removeEventListener } as MediaQueryList;
  });
  onTestFinished(() => wide.mockRestore());
  return () => {
    matches = !matches;
    for (const listener of listeners) listener();
  };
}
