import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSeenWatcher } from './seen-watcher.ts';

const VIEW_PX = 550;

/** The parts of an element that the watcher uses. */
class FakeElement {
  readonly dataset: { message: string };
  constructor(message: string) {
    this.dataset = { message };
  }
  closest = () => null;
}

/** Calls back, as a browser does, only when a threshold was crossed. */
class FakeObserver {
  static last: FakeObserver | null = null;
  readonly tell: (entries: unknown[]) => void;
  readonly thresholds: number[];
  readonly #passed = new Map<FakeElement, number>();

  constructor(tell: (entries: unknown[]) => void, { threshold }: { threshold: number[] }) {
    this.tell = tell;
    this.thresholds = threshold;
    FakeObserver.last = this;
  }

  observe(target: FakeElement): void {
    this.show(target, 1, 0);
  }

  unobserve(target: FakeElement): void {
    this.#passed.delete(target);
  }

  /** Shows `shown_px` of an element. */
  show(target: FakeElement, height_px: number, shown_px: number): void {
    const intersectionRatio = shown_px / height_px;
    const passed = this.thresholds.filter((threshold) => shown_px > 0 && intersectionRatio >= threshold).length;
    if (this.#passed.get(target) === passed) return;
    this.#passed.set(target, passed);
    const rects = { intersectionRect: { height: shown_px }, rootBounds: { height: VIEW_PX } };
    this.tell([{ target, intersectionRatio, ...rects }]);
  }
}

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });

beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', FakeObserver);
  vi.stubGlobal('HTMLElement', FakeElement);
  vi.stubGlobal('document', page);
  page.visibilityState = 'visible';
});
afterEach(() => vi.unstubAllGlobals());

/** Scrolls a message into view from below, px by px, up to `until_px`; returns the watcher and the `seen` callback. */
function scrollIn(height_px: number, until_px: number) {
  const watcher = createSeenWatcher();
  const seen = vi.fn<(ids: string[]) => void>();
  watcher.subscribe(seen);
  const element = new FakeElement('a');
  watcher.observe(element as unknown as HTMLElement);
  for (let shown_px = 1; shown_px <= Math.min(until_px, height_px); shown_px += 1)
    FakeObserver.last?.show(element, height_px, shown_px);
  return { watcher, seen };
}

test.each([60, 400, 1_200])('less than half of a message of %i px is not seen', (height_px) => {
  const { seen } = scrollIn(height_px, Math.min(height_px, VIEW_PX) / 2 - 1);
  expect(seen).not.toHaveBeenCalled();
});

test('messages in view of a background page are seen once the page is visible', () => {
  page.visibilityState = 'hidden';
  const { seen } = scrollIn(60, 60);
  expect(seen).not.toHaveBeenCalled();
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(seen).toHaveBeenCalledWith(['a']);
});

test.each([60, 400, 1_200, 8_000, 24_000, 60_000, 120_000])(
  'a message of %i px is seen when it fills the view, however long it is',
  (height_px) => {
    expect(scrollIn(height_px, VIEW_PX).seen).toHaveBeenCalledWith(['a']);
  },
);
