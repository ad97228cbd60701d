import { type RefObject, useEffect, useState } from 'react';
import { isWide } from '#web/shared/device/use-is-wide.ts';
import type { Inset } from '../map/map-controller.ts';
import { coversMap, type SheetRoom, type Snap, sheetHeight } from './sheet-heights.ts';

/** Values of a typical phone, until measured. */
const UNMEASURED: SheetRoom = { whole: 772, search: 124, rem: 16, is_wide: false };
const UNDER_SEARCH_PX = 4;

/** The space for the sheet, updated as screen and text size change. */
export function useSheetRoom(root: RefObject<HTMLElement | null>, search: RefObject<HTMLElement | null>): SheetRoom {
  const [room, setRoom] = useState(UNMEASURED);
  useEffect(() => {
    const [rootElement, searchElement] = [root.current, search.current];
    if (!rootElement || !searchElement) return;
    const measure = () => {
      const next = {
        whole: rootElement.clientHeight,
        search: searchElement.offsetHeight,
        rem: Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
        is_wide: isWide(),
      };
      setRoom((last) => (isSame(last, next) ? last : next));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(rootElement);
    observer.observe(searchElement);
    return () => observer.disconnect();
  }, [root, search]);
  return room;
}

/** The space that search and sheet take from the map. Behind a sheet that covers it the map keeps its previous inset. */
export function mapInset(snap: Snap, room: SheetRoom): Inset {
  if (room.is_wide) return { top: 0, bottom: 0 };
  return { top: room.search + UNDER_SEARCH_PX, bottom: sheetHeight(coversMap(snap, room) ? 'half' : snap, room) };
}

function isSame(a: SheetRoom, b: SheetRoom): boolean {
  return a.whole === b.whole && a.search === b.search && a.rem === b.rem && a.is_wide === b.is_wide;
}
