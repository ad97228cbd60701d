import { type RefObject, useEffect, useRef } from 'react';

/** Mine may stand after them before they reach it. */
const READ_ROWS = '[data-rest] > [data-row]:not([data-row="mine"])';

/**
 * Leads the focus to the first of the rows that a press brought: they stand before the button, which may be gone by then.
 * Returns what to call at the press. `board` holds the rows in an element with `data-rest`; `count` is how many the board
 * has, those of its podium too.
 */
export function useFocusNewRow(board: RefObject<HTMLElement | null>, count: number): () => void {
  const asked = useRef<{ count: number; by: Element | null } | null>(null);
  useEffect(() => {
    const { current } = asked;
    if (!current || count <= current.count) return;
    asked.current = null;
    // Whoever has gone on to something else meanwhile stays there.
    if (document.activeElement !== current.by && document.activeElement !== document.body) return;
    const rows = board.current?.querySelectorAll<HTMLElement>(READ_ROWS) ?? [];
    [...rows].at(current.count - count)?.focus();
  }, [board, count]);
  return () => {
    asked.current = { count, by: document.activeElement };
  };
}
