import { type RefObject, useLayoutEffect, useRef } from 'react';

const MOVE_MS = 450;

interface Place {
  left: number;
  top: number;
}

/**
 * Lets rows (elements with a `data-row` name) glide to their new places when their order changes, also from a list to
 * the podium: the board is their offset parent. Off where less motion is asked for.
 */
export function useRowMotion(board: RefObject<HTMLElement | null>): void {
  const places = useRef(new Map<string, Place>());
  useLayoutEffect(() => {
    const rows = [...(board.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const nameOf = (row: HTMLElement) => row.dataset.row ?? '';
    const before = places.current;
    places.current = new Map(rows.map((row) => [nameOf(row), placeOf(row)]));
    const same_order = [...before.keys()].join('\n') === [...places.current.keys()].join('\n');
    if (same_order || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    for (const row of rows) {
      const [from, to] = [before.get(nameOf(row)), places.current.get(nameOf(row))];
      if (!from || !to || isStuck(row, to)) continue;
      row.animate(
        [{ transform: `translate(${from.left - to.left}px, ${from.top - to.top}px)` }, { transform: 'none' }],
        {
          duration: MOVE_MS,
          easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)',
        },
      );
    }
  });
}

/** Where a row belongs: my own may be held at the edge of the screen, which is no place in the order. */
function placeOf(row: HTMLElement): Place {
  if (row.ariaCurrent) row.style.position = 'static';
  const place = { left: row.offsetLeft, top: row.offsetTop };
  row.style.position = '';
  return place;
}

function isStuck(row: HTMLElement, place: Place): boolean {
  return row.offsetTop !== place.top;
}
