/** Tells which of the watched elements are really in view: half of them, or half of the place in which they lie. */
export interface SeenWatcher {
  /** As a ref: watches until the returned function is called. The element names itself in `data-message`. */
  observe(element: HTMLElement | null): (() => void) | undefined;
  /** Hears of what is in view, also again; until the returned function is called. */
  listen(listener: (ids: string[]) => void): () => void;
}

const HALF = 0.5;
/**
 * A long message fills half of its place long before half of it is there. Each is half of the one before, so that one is
 * passed between half a view and a whole one, however long the message; the longest has some 5,000 lines.
 */
const THRESHOLDS = [0, ...Array.from({ length: 12 }, (_, index) => HALF ** (index + 1))];

/** Watches inside the element marked `data-scroller`. What is in view of a page in the background is not seen. */
export function createSeenWatcher(): SeenWatcher {
  const in_view = new Set<string>();
  const watched = new Set<Element>();
  let observer: IntersectionObserver | null = null;
  let hear: (ids: string[]) => void = () => {};
  const tell = () => {
    if (in_view.size > 0 && document.visibilityState === 'visible') hear([...in_view]);
  };
  const note = (entries: IntersectionObserverEntry[]) => {
    for (const { target, intersectionRatio, intersectionRect, rootBounds } of entries) {
      const id = target instanceof HTMLElement ? target.dataset.message : undefined;
      if (id === undefined || !watched.has(target)) continue;
      const fills = rootBounds !== null && intersectionRect.height >= rootBounds.height * HALF;
      if (intersectionRatio >= HALF || fills) in_view.add(id);
      else in_view.delete(id);
    }
    tell();
  };
  return {
    observe(element) {
      if (!element) return;
      observer ??= new IntersectionObserver(note, {
        root: element.closest('[data-scroller]'),
        threshold: THRESHOLDS,
      });
      watched.add(element);
      observer.observe(element);
      return () => {
        watched.delete(element);
        observer?.unobserve(element);
        if (element.dataset.message !== undefined) in_view.delete(element.dataset.message);
      };
    },
    listen(listener) {
      hear = listener;
      document.addEventListener('visibilitychange', tell);
      return () => {
        document.removeEventListener('visibilitychange', tell);
        hear = () => {};
      };
    },
  };
}
