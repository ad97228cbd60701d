export const SNAPS = ['low', 'half', 'full'] as const;
export type Snap = (typeof SNAPS)[number];

/** What there is to lay the sheet out in, in px. */
export interface SheetRoom {
  /** Height of the screen without the navigation. */
  whole: number;
  /** What the search at its top takes: no sheet lies under it. */
  search: number;
  /** Size of the text: 16 unless the athlete wants it otherwise. */
  rem: number;
  /** The list stands beside the map. */
  is_wide: boolean;
}

/** `low` shows the heading, `full` leaves the search in sight. */
export const LOW_REM = 6.5;
const HALF_SHARE = 0.52;
/** With less than this for the whole sheet, its head would leave nothing for the list. */
const TIGHT_REM = 16;
/** A flick of this many px per ms moves one step, however short it was. */
const FLICK_PX_PER_MS = 0.5;

/** Height in px of a sheet at rest. */
export function sheetHeight(snap: Snap, { whole, search, rem }: SheetRoom): number {
  const full = Math.max(0, whole - search);
  if (snap === 'full') return full;
  return Math.min(full, snap === 'low' ? LOW_REM * rem : Math.round(whole * HALF_SHARE));
}

/** Whether head and list have to scroll together: a low screen, or large text on a small one. */
export function isTight({ whole, search, rem, is_wide }: SheetRoom): boolean {
  return !is_wide && whole - search < TIGHT_REM * rem;
}

/** Where a let-go sheet of `height` px comes to rest: one step on after a flick (px per ms, up is positive), else the nearest. */
export function settle(snap: Snap, height: number, room: SheetRoom, speed: number): Snap {
  const gap = (to: Snap) => Math.abs(sheetHeight(to, room) - height);
  const nearest = [...SNAPS].sort((a, b) => gap(a) - gap(b))[0] ?? snap;
  if (Math.abs(speed) < FLICK_PX_PER_MS || nearest !== snap) return nearest;
  return SNAPS[Math.max(0, Math.min(2, SNAPS.indexOf(snap) + Math.sign(speed)))] ?? nearest;
}
