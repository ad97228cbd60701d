import { onTestFinished, vi } from 'vitest';

/** px; changed by the app and by the test. */
interface PageScroll {
  top: number;
  height: number;
}

/** Stubs a page that scrolls; jsdom has no layout. Call it before the app opens. */
export function stubPageScroll(height = 10_000): PageScroll {
  const page = { top: 0, height };
  vi.stubGlobal('scrollTo', (_left: number, top: number) => {
    page.top = Math.max(0, Math.min(top, page.height - innerHeight));
  });
  const stubs = [
    vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => page.top),
    vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(() => page.height),
  ];
  onTestFinished(() => {
    vi.unstubAllGlobals();
    for (const stub of stubs) stub.mockRestore();
  });
  return page;
}
