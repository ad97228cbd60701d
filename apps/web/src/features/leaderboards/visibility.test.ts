import { expect, test } from 'vitest';
import { isContradictory, isHidden, isShown, isTooYoung } from './visibility.ts';

test('an age under 16 makes an athlete too young, one that was not entered (0) does not', () => {
  expect([0, 9, 15, 16, 40].map((age) => isTooYoung({ age }))).toEqual([false, true, true, false, false]);
});

test('a missing answer is unknown, not off', () => {
  expect(isShown({ hidden: null, boards: null })).toBeNull();
  expect(isHidden({ age: 30, hidden: null, boards: null })).toBeNull();
});

test('without settings the board sets the switch, and without a board the settings set the note', () => {
  expect(isShown({ hidden: false, boards: null })).toBe(true);
  expect(isShown({ hidden: true, boards: null })).toBe(false);
  expect(isHidden({ age: 30, hidden: null, boards: false })).toBe(true);
  expect(isHidden({ age: 30, hidden: null, boards: true })).toBe(false);
  expect(isHidden({ age: 14, hidden: null, boards: null })).toBe(true);
});

test('board and settings contradict each other after a change on another device, but not for an athlete under 16', () => {
  expect(isContradictory({ age: 30, hidden: true, boards: true })).toBe(true);
  expect(isContradictory({ age: 30, hidden: false, boards: false })).toBe(true);
  expect(isContradictory({ age: 30, hidden: true, boards: false })).toBe(false);
  expect(isContradictory({ age: 30, hidden: null, boards: true })).toBe(false);
  expect(isContradictory({ age: 14, hidden: true, boards: true })).toBe(false);
});
