import { type RefObject, useLayoutEffect, useRef } from 'react';

const MOVE_MS = 450;

/**
 * Lets rows (elements with a `data-row` name) glide to their new places when their order changes. Off where less
 * motion is asked for.
 */
export function useRowMotion(list: RefObject<HTMLElement | null>): void {
  const places = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const now = new Map<string, number>();
    const rows = list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [];
    // offsetTop knows nothing of scrolling, so that only a change of the order moves anything.
    for (const row of rows) now.set(row.dataset.row ?? '', row.offsetTop);
    for (const row of rows) {
      const key = row.dataset.row ?? '';
      const from = places.current.get(key);
      const by = from === undefined ? 0 : from - (now.get(key) ?? 0);
      if (by === 0 || still) continue;
      row.animate([{ transform: `translateY(${by}px)` }, { transform: 'none' }], {
        duration: MOVE_MS,
        easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)',
      });
    }
    places.current = now;
  });
}
