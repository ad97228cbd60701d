import { useEffect, useEffectEvent, useState } from 'react';

/** Rows drawn at once: two phone screens; more follow before the user has scrolled to their end. */
export const ROWS_PER_BATCH = 24;
const PREFETCH_MARGIN = '600px';
/** The list scrolls inside the sheet, and `rootMargin` alone does not extend a nested scroller. */
const MARGINS = { rootMargin: PREFETCH_MARGIN, scrollMargin: PREFETCH_MARGIN };

interface VisibleRows {
  /** Number of rows to draw. */
  count: number;
  /** Draws more rows, or loads the next page. */
  showMore(): void;
  /** Ref for the element after the last row: more rows are drawn when it comes near. */
  end: (element: HTMLElement | null) => void;
}

const FIRST = { list: '', count: ROWS_PER_BATCH };

/** How much of the latest list was drawn: as much is, when the user returns to it from a center's page. */
let drawn = FIRST;

/** Draws a long list in parts, so that typing never waits for rows out of sight. `list` identifies it. */
export function useVisibleRows(list: string, total: number, loadMore: (() => void) | null): VisibleRows {
  const [visible, setVisible] = useState(() => (drawn.list === list ? drawn : { ...FIRST, list }));
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const count = visible.list === list ? visible.count : ROWS_PER_BATCH;

  function showMore(): void {
    if (count >= total) {
      loadMore?.();
    } else {
      drawn = { list, count: count + ROWS_PER_BATCH };
      setVisible(drawn);
    }
  }

  const handleNearEnd = useEffectEvent(showMore);
  // Observe again after each part: the end may be as near as before, and would not fire again.
  useEffect(() => {
    if (!end || Math.min(count, total) === 0) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && handleNearEnd(), MARGINS);
    observer.observe(end);
    return () => observer.disconnect();
  }, [end, count, total]);
  return { count, showMore, end: setEnd };
}
