import { describe, expect, test } from 'vitest';
import { activeMinutes, activeMs, elapsedMinutes, isPauseWithin } from './scoring.ts';

const MINUTE_MS = 60_000;
const activity = (paused_s: number) => ({ started_at: 1000, ended_at: 1000 + 45 * MINUTE_MS, paused_s });

describe('a pause in an activity of 45 minutes', () => {
  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 45 * 60 + 1])('cannot last %s seconds', (paused_s) => {
    expect(isPauseWithin(activity(paused_s))).toBe(false);
  });

  test.each([0, 1, 45 * 60])('can last %i seconds', (paused_s) => {
    expect(isPauseWithin(activity(paused_s))).toBe(true);
  });

  test('an end before the start leaves room for no pause, not even one of 0 seconds', () => {
    expect(isPauseWithin({ started_at: 10, ended_at: 0, paused_s: 0 })).toBe(false);
  });
});

test('the active time is that from start to end without the pauses, and never negative', () => {
  expect([activeMs(activity(0)), activeMinutes(activity(0))]).toEqual([45 * MINUTE_MS, 45]);
  expect([activeMs(activity(61)), activeMinutes(activity(61))]).toEqual([45 * MINUTE_MS - 61_000, 43]);
  expect([activeMs(activity(45 * 60)), activeMs(activity(9999))]).toEqual([0, 0]);
  expect([elapsedMinutes(activity(61)), elapsedMinutes({ started_at: 10, ended_at: 0 })]).toEqual([45, 0]);
});
