/**
 * Reports which watched elements are really in view: half of the element is visible, or it fills half of the scroller.
 */
export interface SeenWatcher {
  /**
   * A ref callback: watches until the returned function is called. The element has its message's id in `data-message`.
   */
  observe(element: HTMLElement | null): (() => void) | undefined;
  /** Calls `listener` with the ids in view, at once and repeatedly; returns a function that unsubscribes. */
  subscribe(listener: (ids: string[]) => void): () => void;
}

const HALF = 0.5;
/**
 * A long message fills half of the scroller long before half of it is visible. Each threshold is half of the previous
 * one, so that one is crossed while the message fills between half of the view and all of it, however long it is; the
 * longest has some 20,000 lines.
 */
const THRESHOLDS = [0, ...Array.from({ length: 12 }, (_, index) => HALF ** (index + 1))];

/** Watches inside the element marked `data-scroller`. On a page in the background, no message counts as seen. */
export function createSeenWatcher(): SeenWatcher {
  const in_view = new Set<string>();
  const watched = new Set<Element>();
  let observer: IntersectionObserver | null = null;
  let onSeen: (ids: string[]) => void = () => {};
  const notify = () => {
    if (in_view.size > 0 && document.visibilityState === 'visible') onSeen([...in_view]);
  };
  const handleEntries = (entries: IntersectionObserverEntry[]) => {
    for (const { target, intersectionRatio, intersectionRect, rootBounds } of entries) {
      const id = target instanceof HTMLElement ? target.dataset.message : undefined;
      if (id === undefined || !watched.has(target)) continue;
      const fills_view = rootBounds !== null && intersectionRect.height >= rootBounds.height * HALF;
      if (intersectionRatio >= HALF || fills_view) in_view.add(id);
      else in_view.delete(id);
    }
    notify();
  };
  return {
    observe(element) {
      if (!element) return;
      observer ??= new IntersectionObserver(handleEntries, {
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
    subscribe(listener) {
      onSeen = listener;
      document.addEventListener('visibilitychange', notify);
      // What came into view before.
      notify();
      return () => {
        document.removeEventListener('visibilitychange', notify);
        onSeen = () => {};
      };
    },
  };
}
