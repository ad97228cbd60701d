import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { session } from '#web/shared/api/client.ts';
import type { Snap } from './sheet-heights.ts';

const INITIAL = { list: '', top: 0, snap: 'half' as Snap };

let memory = INITIAL;
session.onSignedOut(() => {
  memory = INITIAL;
});

/** The sheet's position; restored when the user returns from a center's page. */
export function useRememberedSnap(): [Snap, (snap: Snap) => void] {
  const [snap, setSnap] = useState(memory.snap);
  return [
    snap,
    (next) => {
      memory = { ...memory, snap: next === 'cover' ? 'full' : next };
      setSnap(next);
    },
  ];
}

/** Ref for the direct child of a scroller: a new list starts at its top, a known list where the user left it. */
export function useRememberedScroll(list: string): RefObject<HTMLDivElement | null> {
  const content = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const scroller = content.current?.parentElement;
    if (!scroller) return;
    scroller.scrollTop = memory.list === list ? memory.top : 0;
    return () => {
      memory = { ...memory, list, top: scroller.scrollTop };
    };
  }, [list]);
  return content;
}
