import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { session } from '#web/shared/api/client.ts';
import type { Snap } from './sheet-heights.ts';

const NOTHING = { list: '', top: 0, snap: 'half' as Snap };

let kept = NOTHING;
session.onSignedOut(() => {
  kept = NOTHING;
});

/** How high the sheet stands; the same again after the way to a center and back. */
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

/** For what lies directly in the scroller: a new list begins at its top, the one from before where it was left. */
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
