import { expect, test } from 'vitest';
import {
  coversMap,
  hasRoomForControls,
  isTight,
  mapHeight,
  SNAPS,
  sheetHeight,
  snapAfterRelease,
} from './sheet-heights.ts';

const PHONE = { whole: 772, search: 124, rem: 16, is_wide: false };
/** 320 by 640 px with 200 % text size. */
const LARGE_TEXT = { whole: 496, search: 236, rem: 32, is_wide: false };

test('no sheet covers the search, however much room its text takes', () => {
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

test('on a small screen or with large text a full sheet takes the map’s room, and beside the map no sheet does', () => {
  const SMALL = { ...PHONE, whole: 496 };
  expect([SMALL, LARGE_TEXT, { ...PHONE, whole: 100 }].map(mapHeight)).toEqual([0, 0, 0]);
  expect(coversMap('full', SMALL)).toBe(true);
  expect(sheetHeight('full', SMALL)).toBe(496 - 124);
  expect(coversMap('full', { ...SMALL, is_wide: true })).toBe(false);
  expect(coversMap('cover', { ...PHONE, is_wide: true })).toBe(false);
});

test('on a phone the map is in sight above every sheet that the list is read in, and covered only while the user types', () => {
  for (const snap of SNAPS) {
    expect(coversMap(snap, PHONE)).toBe(false);
    expect(PHONE.whole - PHONE.search - sheetHeight(snap, PHONE)).toBeGreaterThanOrEqual(128);
  }
  expect(coversMap('cover', PHONE)).toBe(true);
  expect(sheetHeight('full', PHONE)).toBeGreaterThan(sheetHeight('half', PHONE));
  expect(snapAfterRelease('cover', 640, PHONE, -1)).toBe('full');
});

test('the map has controls where a sheet leaves room for them, and always beside a list', () => {
  expect(SNAPS.map((snap) => hasRoomForControls(snap, PHONE))).toEqual([true, true, true]);
  expect(hasRoomForControls('cover', PHONE)).toBe(false);
  expect(SNAPS.map((snap) => hasRoomForControls(snap, LARGE_TEXT))).toEqual([false, false, false]);
  expect(hasRoomForControls('cover', { ...LARGE_TEXT, is_wide: true })).toBe(true);
});
