export interface Size {
  width: number;
  height: number;
}

/** In px, from the top left corner of the screen. */
export interface Box extends Size {
  left: number;
  top: number;
}

/** The part of the screen between the title bar and the navigation. */
export interface Band {
  top: number;
  bottom: number;
}

/** Where the bubble is. A text that is longer than `max_height` scrolls inside of it. */
export interface Placement {
  left: number;
  top: number;
  max_height: number;
}

type Side = 'above' | 'below' | 'left' | 'right';

/** The lit margin around a target. */
export const LIGHT_PX = 6;
/** Between light and bubble, and between each of them and the edge of the screen. */
const GAP_PX = 12;
/** From this width on, the screen has columns, so that the bubble is better beside its target. */
const WIDE_PX = 900;
/** A bubble needs this much, also on a screen that is too low for both. */
const MIN_HEIGHT_PX = 144;

/** Places the bubble on a side of its target, never over it: there is room after a scroll by `scrollToMakeRoom`. */
export function placeBubble(target: Box, bubble: Size, view: Size): Placement {
  const side = findSide(target, bubble, view);
  if (side === 'left' || side === 'right') {
    const left =
      side === 'right'
        ? target.left + target.width + LIGHT_PX + GAP_PX
        : target.left - LIGHT_PX - GAP_PX - bubble.width;
    const top = clamp(target.top + (target.height - bubble.height) / 2, GAP_PX, view.height - GAP_PX - bubble.height);
    return { left, top, max_height: view.height - 2 * GAP_PX };
  }
  const { above, below } = measureSpaces(target, view);
  const is_above = side === 'above' || (side === null && above > below);
  const max_height = Math.max(is_above ? above : below, MIN_HEIGHT_PX);
  const height = Math.min(bubble.height, max_height);
  const top = is_above ? target.top - LIGHT_PX - GAP_PX - height : target.top + target.height + LIGHT_PX + GAP_PX;
  return {
    left: clamp(target.left + (target.width - bubble.width) / 2, GAP_PX, view.width - GAP_PX - bubble.width),
    top: clamp(top, GAP_PX, view.height - GAP_PX - height),
    max_height,
  };
}

/**
 * Returns by how many px to scroll down, so that the bars cover nothing of the target, and the bubble has a side. If that
 * needs a scroll, the target goes to the top, and the bubble has its place below.
 */
export function scrollToMakeRoom(target: Box, bubble: Size, view: Size, band: Band): number {
  const is_in_band = target.top - LIGHT_PX >= band.top && target.top + target.height + LIGHT_PX <= band.bottom;
  if (is_in_band && findSide(target, bubble, view) !== null) return 0;
  return target.top - LIGHT_PX - GAP_PX - band.top;
}

/** Returns whether a target of this size leaves room for the bubble, once the screen is scrolled. */
export function leavesRoom(target: Box, bubble: Size, view: Size, band: Band): boolean {
  return findSide({ ...target, top: band.top + GAP_PX + LIGHT_PX }, bubble, view) !== null;
}

/** Returns the first side with room for the whole bubble; null: none has it. */
function findSide(target: Box, bubble: Size, view: Size): Side | null {
  const spaces = measureSpaces(target, view);
  const sides: Side[] =
    view.width < WIDE_PX ? ['above', 'below', 'right', 'left'] : ['right', 'left', 'above', 'below'];
  const sizeAt = (side: Side) => (side === 'above' || side === 'below' ? bubble.height : bubble.width);
  return sides.find((side) => sizeAt(side) <= spaces[side]) ?? null;
}

/** The length that a bubble can have on each side. */
function measureSpaces({ left, top, width, height }: Box, view: Size): Record<Side, number> {
  const taken = LIGHT_PX + 2 * GAP_PX;
  return {
    above: top - taken,
    below: view.height - top - height - taken,
    left: left - taken,
    right: view.width - left - width - taken,
  };
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(value, max));
}
