export const SNAPS = ['low', 'half', 'full'] as const;
export type Snap = (typeof SNAPS)[number];

/** The space for the sheet, in px. */
export interface SheetRoom {
  /** Height of the screen without the navigation. */
  whole: number;
  /** Height of the search at the top: the sheet never covers it. */
  search: number;
  /** Root font size: 16 unless the user changed it. */
  rem: number;
  /** The list is beside the map. */
  is_wide: boolean;
}

/** `low` shows the heading; `full` leaves the search in sight. */
export const LOW_REM = 6.5;
const HALF_SHARE = 0.52;
/** If the whole sheet is smaller than this, its head would leave no space for the list. */
const TIGHT_REM = 16;
/** A flick of at least this speed moves one position, however short it was. */
const FLICK_PX_PER_MS = 0.5;

/** Height in px of a resting sheet. */
export function sheetHeight(snap: Snap, { whole, search, rem }: SheetRoom): number {
  const full = Math.max(0, whole - search);
  if (snap === 'full') return full;
  return Math.min(full, snap === 'low' ? LOW_REM * rem : Math.round(whole * HALF_SHARE));
}

/** Whether head and list must scroll together: a low screen, or large text on a small one. */
export function isTight({ whole, search, rem, is_wide }: SheetRoom): boolean {
  return !is_wide && whole - search < TIGHT_REM * rem;
}

/**
 * Where a released sheet of `height` px comes to rest: one position on after a flick (`speed`: px per ms, up is
 * positive), else the nearest.
 */
export function snapAfterRelease(snap: Snap, height: number, room: SheetRoom, speed: number): Snap {
  const gap = (to: Snap) => Math.abs(sheetHeight(to, room) - height);
  const nearest = [...SNAPS].sort((a, b) => gap(a) - gap(b))[0] ?? snap;
  if (Math.abs(speed) < FLICK_PX_PER_MS || nearest !== snap) return nearest;
  return SNAPS[Math.max(0, Math.min(2, SNAPS.indexOf(snap) + Math.sign(speed)))] ?? nearest;
}
