import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Band,
  type Box,
  LIGHT_PX,
  leavesRoom,
  type Placement,
  placeBubble,
  type Size,
  scrollToMakeRoom,
} from './place-bubble.ts';

const BAR_PX = 72;

/** The screens of the interface brief, and the lowest phone. */
const VIEWS = [
  { width: 320, height: 568 },
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1280, height: 800 },
];
/** The bubble's width in tour.css, and its height with the longest text. */
const bubbleOn = ({ width }: Size): Size => ({ width: Math.min(360, width - 24), height: width < 360 ? 256 : 240 });
/** The bottom bar becomes a rail from 900 px on. */
const bandOf = ({ width, height }: Size): Band => ({ top: BAR_PX, bottom: width < 900 ? height - BAR_PX : height });

/** Whether the bubble is on the screen, and off the target and its light. */
function isClear(target: Box, bubble: Size, view: Size, { left, top, max_height }: Placement): boolean {
  const height = Math.min(bubble.height, max_height);
  const is_on_screen = left >= 0 && top >= 0 && left + bubble.width <= view.width && top + height <= view.height;
  const is_off_target =
    left + bubble.width <= target.left - LIGHT_PX ||
    left >= target.left + target.width + LIGHT_PX ||
    top + height <= target.top - LIGHT_PX ||
    top >= target.top + target.height + LIGHT_PX;
  return is_on_screen && is_off_target;
}

/** The placement after the scroll that makes room, on a page that is long enough for it. */
function placeAfterScroll(target: Box, view: Size) {
  const bubble = bubbleOn(view);
  const scrolled = { ...target, top: target.top - scrollToMakeRoom(target, bubble, view, bandOf(view)) };
  return { scrolled, bubble, placement: placeBubble(scrolled, bubble, view) };
}

describe.each(VIEWS)('at $width × $height', (view) => {
  const is_wide = view.width >= 900;
  const column = is_wide ? { left: 760, width: 480 } : { left: 16, width: view.width - 32 };
  const tab = is_wide
    ? { left: 16, top: 170, width: 208, height: 56 }
    : { left: (view.width / 5) * 3, top: view.height - BAR_PX, width: view.width / 5, height: BAR_PX };

  test.each<[string, Box]>([
    ['a tab of the navigation', tab],
    ['the scanner in the title bar', { left: view.width - 68, top: 12, width: 52, height: 48 }],
    ['the link to the history', { left: view.width - 110, top: view.height - 130, width: 94, height: 48 }],
  ])('the bubble is beside %s', (_name, target) => {
    const bubble = bubbleOn(view);
    expect(isClear(target, bubble, view, placeBubble(target, bubble, view))).toBe(true);
  });

  test('every target that leaves room is off the whole bubble, and no bar covers it, wherever the page was', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2_000, max: 4_000 }), fc.integer({ min: 20, max: 700 }), (top, height) => {
        const target = { ...column, top, height };
        fc.pre(leavesRoom(target, bubbleOn(view), view, bandOf(view)));
        const { scrolled, bubble, placement } = placeAfterScroll(target, view);
        expect(isClear(scrolled, bubble, view, placement)).toBe(true);
        expect(placement.max_height).toBeGreaterThanOrEqual(bubble.height);
        expect(scrolled.top - LIGHT_PX).toBeGreaterThanOrEqual(bandOf(view).top);
      }),
    );
  });
});

test.each(VIEWS.slice(1))('the drawing of the radar leaves room at $width × $height', (view) => {
  const width = Math.min(380, view.width - 72);
  const drawing = { left: 36, top: 0, width, height: 112 + 0.58 * width };
  expect(leavesRoom(drawing, bubbleOn(view), view, bandOf(view))).toBe(true);
});

test('on a screen that is too low for both, the bubble takes the larger space and scrolls', () => {
  const view = { width: 320, height: 480 };
  const target = { left: 16, top: 90, width: 288, height: 190 };
  const { max_height, top } = placeBubble(target, { width: 296, height: 260 }, view);
  expect(top).toBe(90 + 190 + LIGHT_PX + 12);
  expect(top + max_height).toBe(480 - 12);
});
