import { type RefObject, useEffect, useState } from 'react';
import type { Snap } from './BottomSheet.tsx';
import type { Inset } from './map-controller.ts';

const WIDE = '(min-width: 900px)';
const SEARCH_PX = 128;
const LOW_PX = 104;
const HALF_SHARE = 0.52;
const NO_INSET: Inset = { top: 0, bottom: 0 };

/** What the search above and the sheet below take from the map. Behind a full sheet the map stays as it was. */
export function useMapInset(root: RefObject<HTMLElement | null>, snap: Snap): Inset {
  const [inset, setInset] = useState<Inset>({ top: SEARCH_PX, bottom: LOW_PX });
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const measure = () => {
      const next = matchMedia(WIDE).matches ? NO_INSET : insetOf(snap, element.clientHeight);
      setInset((last) => (last.top === next.top && last.bottom === next.bottom ? last : next));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [root, snap]);
  return inset;
}

function insetOf(snap: Snap, height: number): Inset {
  return { top: SEARCH_PX, bottom: snap === 'low' ? LOW_PX : Math.round(height * HALF_SHARE) };
}
