import { Blob } from 'node:buffer';
import { locks } from 'node:worker_threads';
import { CenterWorker } from './center-worker.ts';

/** Fills gaps of jsdom that no browser of the app has. Nothing here decides the outcome of a test. */
export function fillBrowserGaps(): void {
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
  define('matchMedia', (query: string) => ({
    matches: /prefers-reduced-motion/.test(query),
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }));
  define('ResizeObserver', FakeObserver);
  define('IntersectionObserver', SeesEverything);
  define('isSecureContext', true);
  define('Worker', CenterWorker);
  // Unlike jsdom's Blob, this one can be stored in a database.
  define('Blob', Blob);
  define('SyncManager', class {});
  define('scrollTo', () => {});
  define('requestIdleCallback', (work: IdleRequestCallback) => setTimeout(() => work(IDLE)));
  define('cancelIdleCallback', (id: number) => clearTimeout(id));
  Object.assign(Element.prototype, {
    scrollIntoView() {},
    scrollTo() {},
    getAnimations: () => [],
    animate: () => ({ finished: Promise.resolve(), cancel() {}, addEventListener() {} }),
    setPointerCapture() {},
    releasePointerCapture() {},
    hasPointerCapture: () => false,
  });
  Object.assign(HTMLMediaElement.prototype, { play: async () => {}, pause() {} });
  giveElementsASize();
}

const IDLE: IdleDeadline = { didTimeout: false, timeRemaining: () => 50 };

function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

class FakeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

const ROW = new DOMRect(0, 0, 390, 40);
const SCREEN = new DOMRect(0, 0, 390, 844);

/** Reports every observed element as in view. */
class SeesEverything extends FakeObserver {
  readonly #tell: IntersectionObserverCallback;

  constructor(tell: IntersectionObserverCallback) {
    super();
    this.#tell = tell;
  }

  override observe(target?: Element): void {
    const [boundingClientRect, intersectionRect, rootBounds] = [ROW, ROW, SCREEN];
    const rects = { boundingClientRect, intersectionRect, rootBounds };
    const entry = {
      target,
      isIntersecting: true,
      intersectionRatio: 1,
      time: 0,
      ...rects,
    } as IntersectionObserverEntry;
    queueMicrotask(() => this.#tell([entry], this as unknown as IntersectionObserver));
  }
}

/** jsdom has no layout: without a size, a virtual list would draw no row. */
function giveElementsASize(): void {
  const sizes = { offsetWidth: 390, offsetHeight: 600, clientWidth: 390, clientHeight: 600 };
  for (const [name, value] of Object.entries(sizes)) {
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
  }
}
