import { type RefObject, useLayoutEffect, useRef } from 'react';
import { panel } from '../panel/panel.ts';

/** Where the list was left for a chat; null: it begins at its top. */
let left: { top: number; chat_id: string } | null = null;

panel.subscribe(() => {
  if (panel.getState().view === 'closed') left = null;
});

/** Remembers the place of the list. `row`: the chat that is opened. */
export function saveListPlace(row: HTMLElement): void {
  const scroller = row.closest('ul')?.parentElement;
  left = { top: scroller?.scrollTop ?? 0, chat_id: row.dataset.chat ?? '' };
}

/** Ref for the list's scroller: back from a chat, the list is where it was, with the focus on that chat. */
export function useListPlace(): RefObject<HTMLDivElement | null> {
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!scroller.current || !left) return;
    const { top, chat_id } = left;
    left = null;
    scroller.current.scrollTop = top;
    if (document.activeElement !== document.body) return;
    const rows = scroller.current.querySelectorAll<HTMLElement>('[data-chat]');
    [...rows].find((row) => row.dataset.chat === chat_id)?.focus({ preventScroll: true });
  }, []);
  return scroller;
}
