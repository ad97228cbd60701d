import { onTestFinished, vi } from 'vitest';

/** A window with room for more than a phone's: media queries about its width hold. To be called before the app opens. */
export function widenScreen(): void {
  const ask = window.matchMedia;
  const wide = vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const answer = ask.call(window, query);
    return /min-width/.test(query) ? { ...answer, matches: true } : answer;
  });
  onTestFinished(() => wide.mockRestore());
}
