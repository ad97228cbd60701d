import { expect, test } from 'vitest';
import { isTight, SNAPS, sheetHeight, snapAfterRelease } from './sheet-heights.ts';

const PHONE = { whole: 772, search: 124, rem: 16, is_wide: false };
/** 320 by 640 px with 200 % text size. */
const LARGE_TEXT = { whole: 496, search: 236, rem: 32, is_wide: false };

test('no sheet lies under the search, however much room its text takes', () => {
  for (const room of [PHONE, LARGE_TEXT, { ...PHONE, whole: 184 }, { ...LARGE_TEXT, whole: 200 }]) {
    for (const snap of SNAPS) {
      expect(sheetHeight(snap, room)).toBeLessThanOrEqual(Math.max(0, room.whole - room.search));
      expect(sheetHeight(snap, room)).toBeGreaterThanOrEqual(0);
    }
  }
});

test('a low sheet shows as much of its heading with large text', () => {
  expect(sheetHeight('low', PHONE)).toBe(104);
  expect(sheetHeight('low', LARGE_TEXT)).toBe(208);
});

test('head and list scroll together only where the head would leave nothing for the list', () => {
  expect([PHONE, LARGE_TEXT, { ...PHONE, whole: 184 }].map(isTight)).toEqual([false, true, true]);
  expect(isTight({ ...LARGE_TEXT, is_wide: true })).toBe(false);
});

test('a let-go sheet rests at the nearest step, and a flick takes it one on', () => {
  expect(snapAfterRelease('half', 420, PHONE, 0)).toBe('half');
  expect(snapAfterRelease('half', 600, PHONE, 0)).toBe('full');
  expect(snapAfterRelease('half', 380, PHONE, -1)).toBe('low');
  expect(snapAfterRelease('half', 420, PHONE, 1)).toBe('full');
  expect(snapAfterRelease('full', 648, PHONE, 1)).toBe('full');
});
