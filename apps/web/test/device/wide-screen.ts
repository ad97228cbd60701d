import { onTestFinished, vi } from 'vitest';

/** A window wider than a phone's: media queries about its width match. Call it before the app opens. */
export function widenScreen(): void {
  const ask = window.matchMedia;
  const wide = vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const answer = ask.call(window, query);
    return /min-width/.test(query) ? { ...answer, matches: true } : answer;
  });
  onTestFinished(() => wide.mockRestore());
}
