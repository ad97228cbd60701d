import { useEffect, useEffectEvent, useState } from 'react';

/** Rows drawn at once: two screens of a phone; more come before anybody has scrolled to their end. */
export const ROWS = 24;
const AHEAD = '600px';
/** The list scrolls within the sheet, whose edge `rootMargin` alone does not move. */
const MARGINS = { rootMargin: AHEAD, scrollMargin: AHEAD };

interface ShownRows {
  /** How many of the rows to draw. */
  count: number;
  /** Draws more, or has the next page fetched. */
  showMore(): void;
  /** Ref of what stands after the last row: more is shown when it comes near. */
  end: (element: HTMLElement | null) => void;
}

/** A long list drawn part by part, so that a key typed never waits for rows that nobody sees. `list` names it. */
export function useShownRows(list: string, total: number, loadMore: (() => void) | null): ShownRows {
  const [shown, setShown] = useState({ list, count: ROWS });
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const count = shown.list === list ? shown.count : ROWS;

  function showMore(): void {
    if (count < total) setShown({ list, count: count + ROWS });
    else loadMore?.();
  }

  const comeNear = useEffectEvent(showMore);
  // Looked at anew after every part: the end may be as near as before.
  useEffect(() => {
    if (!end || Math.min(count, total) === 0) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && comeNear(), MARGINS);
    observer.observe(end);
    return () => observer.disconnect();
  }, [end, count, total]);
  return { count, showMore, end: setEnd };
}
