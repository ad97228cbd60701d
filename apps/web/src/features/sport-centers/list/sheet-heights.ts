/** Where a sheet can be left: the map stays in sight, unless the screen is small. */
export const SNAPS = ['low', 'half', 'full'] as const;
/** `cover`: as high as it gets, while the user types: the keyboard needs the other half of the screen. */
export type Snap = (typeof SNAPS)[number] | 'cover';

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

/** `low` shows the heading. */
export const LOW_REM = 6.5;
/** The map above a full sheet: room for its buttons above three lines of authors. */
const MAP_REM = 8;
/** One button above a line of authors. */
const CONTROLS_REM = 5.5;
/** A full sheet that would be lower than this leaves no room for the map. */
const MIN_FULL_REM = 19;
const HALF_SHARE = 0.52;
/** If the whole sheet is smaller than this, its head would leave no space for the list. */
const TIGHT_REM = 16;
/** A flick of at least this speed moves one position, however short it was. */
const FLICK_PX_PER_MS = 0.5;

/** Height in px of a resting sheet. */
export function sheetHeight(snap: Snap, room: SheetRoom): number {
  const { whole, search, rem } = room;
  const most = Math.max(0, whole - search);
  if (snap === 'cover') return most;
  if (snap === 'full') return most - mapHeight(room);
  return Math.min(most, snap === 'low' ? LOW_REM * rem : Math.round(whole * HALF_SHARE));
}

/** Height in px of the map between the search and a full sheet. */
export function mapHeight({ whole, search, rem }: SheetRoom): number {
  return whole - search >= (MIN_FULL_REM + MAP_REM) * rem ? MAP_REM * rem : 0;
}

/** Whether nothing of the map is in sight. */
export function coversMap(snap: Snap, room: SheetRoom): boolean {
  return !room.is_wide && (snap === 'cover' || (snap === 'full' && mapHeight(room) === 0));
}

/** Whether the map in sight has room for its buttons and authors. */
export function hasRoomForControls(snap: Snap, room: SheetRoom): boolean {
  return room.is_wide || room.whole - room.search - sheetHeight(snap, room) >= CONTROLS_REM * room.rem;
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
  const nearest = [...SNAPS].sort((a, b) => gap(a) - gap(b))[0] ?? 'full';
  if (Math.abs(speed) < FLICK_PX_PER_MS || nearest !== snap) return nearest;
  return SNAPS[Math.max(0, Math.min(2, SNAPS.indexOf(nearest) + Math.sign(speed)))] ?? nearest;
}
