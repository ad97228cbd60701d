import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { session } from '#web/shared/api/client.ts';
import type { Snap } from './sheet-heights.ts';

let kept_list: string | null = null;
let kept_top = 0;
let kept_snap: Snap = 'half';

session.onSignedOut(() => {
  kept_list = null;
  kept_top = 0;
  kept_snap = 'half';
});

/** How high the sheet stands; the same again after the way to a center and back. */
export function useKeptSnap(): [Snap, (snap: Snap) => void] {
  const [snap, setSnap] = useState(kept_snap);
  return [
    snap,
    (next) => {
      kept_snap = next;
      setSnap(next);
    },
  ];
}

/** For what lies directly in the scroller: a new list begins at its top, the one from before where it was left. */
export function useKeptScroll(list: string): RefObject<HTMLDivElement | null> {
  const content = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const scroller = content.current?.parentElement;
    if (!scroller) return;
    scroller.scrollTop = kept_list === list ? kept_top : 0;
    return () => {
      kept_list = list;
      kept_top = scroller.scrollTop;
    };
  }, [list]);
  return content;
}
