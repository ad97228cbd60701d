import { type RefObject, useLayoutEffect, useRef } from 'react';
import { panel } from '../panel-state/panel.ts';

/** How far the list was scrolled when it was left for a chat; null: it begins at its top. */
let left: { top: number; chat_id: string } | null = null;

panel.subscribe(() => {
  if (panel.getState().view === 'closed') left = null;
});

/** Remembers how far the list is scrolled. `row`: the chat that is opened. */
export function saveListScroll(row: HTMLElement): void {
  const scroller = row.closest('ul')?.parentElement;
  left = { top: scroller?.scrollTop ?? 0, chat_id: row.dataset.chat ?? '' };
}

/** Ref for the list's scroller: back from a chat, the list is where it was, with the focus on that chat. */
export function useListScroll(): RefObject<HTMLDivElement | null> {
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
