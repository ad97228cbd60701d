import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { session } from '#web/shared/api/client.ts';
import type { Snap } from './sheet-heights.ts';

const NOTHING = { list: '', top: 0, snap: 'half' as Snap };

let kept = NOTHING;
session.onSignedOut(() => {
  kept = NOTHING;
});

/** The sheet's position; restored when the user returns from a center's page. */
export function useKeptSnap(): [Snap, (snap: Snap) => void] {
  const [snap, setSnap] = useState(kept.snap);
  return [
    snap,
    (next) => {
      kept = { ...kept, snap: next };
      setSnap(next);
    },
  ];
}

/** Ref for the direct child of a scroller: a new list starts at its top, a known list where the user left it. */
export function useKeptScroll(list: string): RefObject<HTMLDivElement | null> {
  const content = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const scroller = content.current?.parentElement;
    if (!scroller) return;
    scroller.scrollTop = kept.list === list ? kept.top : 0;
    return () => {
      kept = { ...kept, list, top: scroller.scrollTop };
    };
  }, [list]);
  return content;
}
