/** Noted in the page, in ms since the navigation. */
interface Noted {
  lcp_ms: number;
  shifts: { at_ms: number; value: number; moved: string }[];
  /** The end of the last long task. */
  busy_until_ms: number;
  /** The first row of a list of centers is painted. */
  list_ms: number | null;
  /** The map's canvas is in the page. */
  map_ms: number | null;
  /** Durations of interactions with a handler, slower than a frame. */
  interactions: { at_ms: number; took_ms: number }[];
}

declare global {
  interface Window {
    page_noted: Noted;
  }
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}

interface TimedEvent extends PerformanceEntry {
  interactionId: number;
}

/** Watches a page from its first script on. Runs in the page, and there knows nothing of this module. */
export function watchPage(): void {
  const noted: Noted = { lcp_ms: 0, shifts: [], busy_until_ms: 0, list_ms: null, map_ms: null, interactions: [] };
  window.page_noted = noted;
  performance.mark('page-watched');
  const watch = (type: string, note: (entry: PerformanceEntry) => void, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...more });
  const describe = (node: Node | null | undefined) => {
    const element = node instanceof Element ? node : node?.parentElement;
    if (!element) return 'removed';
    return `${element.tagName.toLowerCase()} "${element.textContent?.trim().slice(0, 30) ?? ''}"`;
  };
  watch('largest-contentful-paint', ({ startTime }) => {
    noted.lcp_ms = startTime;
  });
  watch('layout-shift', (entry) => {
    const { startTime: at_ms, value, hadRecentInput, sources } = entry as LayoutShift;
    if (!hadRecentInput) noted.shifts.push({ at_ms, value, moved: describe(sources[0]?.node) });
  });
  watch('longtask', ({ startTime, duration }) => {
    noted.busy_until_ms = startTime + duration;
  });
  const noteEvent = (entry: PerformanceEntry) => {
    const { startTime: at_ms, duration: took_ms, interactionId } = entry as TimedEvent;
    if (interactionId > 0) noted.interactions.push({ at_ms, took_ms });
  };
  watch('event', noteEvent, { durationThreshold: 16 });
  const observer = new MutationObserver(() => {
    if (noted.map_ms === null && document.querySelector('canvas.maplibregl-canvas')) noted.map_ms = performance.now();
    if (noted.list_ms !== null || !document.querySelector('main li a')) return;
    noted.list_ms = Number.NaN;
    // After the frame that paints it.
    requestAnimationFrame(() =>
      setTimeout(() => {
        noted.list_ms = performance.now();
      }),
    );
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** Waits until no task was long for `quiet_ms`, for 30 s at most. Runs in the page. */
export function waitForQuiet(quiet_ms: number): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      const now = performance.now();
      const has_painted = performance.getEntriesByName('first-contentful-paint').length > 0;
      const is_quiet =
        has_painted && now - Math.max(window.page_noted.busy_until_ms, window.page_noted.lcp_ms) > quiet_ms;
      if (is_quiet || now > 30_000) resolve();
      else setTimeout(look, 250);
    };
    look();
  });
}

/** Waits until a frame is painted, so that its time is noted. Runs in the page. */
export function waitForFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/** Returns the notes, the first paint, and when the page was marked. Runs in the page. */
export function readPage(): Noted & { first_paint_ms: number; marked_ms: number } {
  const startOf = (name: string) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN;
  const [first_paint_ms, marked_ms] = [startOf('first-contentful-paint'), startOf('page-watched')];
  return { ...window.page_noted, first_paint_ms, marked_ms };
}

/** Throws if no paint was noted: no task could then count as blocking, and the largest paint would be at 0. */
export function assertPainted({ first_paint_ms, lcp_ms }: { first_paint_ms: number; lcp_ms: number }): void {
  if (Number.isNaN(first_paint_ms)) throw new Error('the page noted no first paint');
  if (lcp_ms === 0) throw new Error('the page noted no largest paint');
}

const WINDOW_MS = 5_000;
const GAP_MS = 1_000;

/** Returns the cumulative layout shift: the largest sum of a window of 5 s without a gap of 1 s. */
export function sumShifts(shifts: Noted['shifts']): number {
  let [largest, sum, begun_at, last_at] = [0, 0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { at_ms, value } of shifts) {
    const is_new = at_ms - last_at > GAP_MS || at_ms - begun_at > WINDOW_MS;
    if (is_new) begun_at = at_ms;
    sum = is_new ? value : sum + value;
    last_at = at_ms;
    largest = Math.max(largest, sum);
  }
  return largest;
}
