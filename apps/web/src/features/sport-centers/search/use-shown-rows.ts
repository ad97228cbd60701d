import { useEffect, useEffectEvent, useState } from 'react';

/** Rows drawn at once: two phone screens; more follow before the user has scrolled to their end. */
export const ROWS = 24;
const AHEAD = '600px';
/** The list scrolls inside the sheet, and `rootMargin` alone does not extend a nested scroller. */
const MARGINS = { rootMargin: AHEAD, scrollMargin: AHEAD };

interface ShownRows {
  /** Number of rows to draw. */
  count: number;
  /** Draws more rows, or loads the next page. */
  showMore(): void;
  /** Ref for the element after the last row: more rows are drawn when it comes near. */
  end: (element: HTMLElement | null) => void;
}

/** Draws a long list in parts, so that typing never waits for rows out of sight. `list` identifies it. */
export function useShownRows(list: string, total: number, loadMore: (() => void) | null): ShownRows {
  const [shown, setShown] = useState({ list, count: ROWS });
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const count = shown.list === list ? shown.count : ROWS;

  function showMore(): void {
    if (count < total) setShown({ list, count: count + ROWS });
    else loadMore?.();
  }

  const comeNear = useEffectEvent(showMore);
  // Observe again after each part: the end may be as near as before, and would not fire again.
  useEffect(() => {
    if (!end || Math.min(count, total) === 0) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && comeNear(), MARGINS);
    observer.observe(end);
    return () => observer.disconnect();
  }, [end, count, total]);
  return { count, showMore, end: setEnd };
}
