import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toLocalInput } from '../data/times.ts';
import { findLongestFreeRange, parseEditForm, toEditForm } from './edit.ts';

const NOW = Date.parse('2026-11-21T20:00:00Z');
const activity = {
  started_at: '2026-11-21T10:00:27.000Z',
  ended_at: '2026-11-21T11:30:45.000Z',
  paused_s: 90,
  distance_m: 1500,
  intensity: 'moderate',
  sport_center_id: 'here',
} as const;
const form = toEditForm(activity);
const local = (text: string) => toLocalInput(Date.parse(text));

describe('a correction that is refused at once', () => {
  test.each([
    ['an end before the start', { ended: local('2026-11-21T09:00:00Z') }],
    ['an end in the future', { ended: local('2026-11-21T20:01:00Z') }],
    ['more than 24 hours', { started: local('2026-11-20T11:00:00Z') }],
    ['no time at all', { ended: '' }],
  ])('%s', (_, change) => {
    expect(parseEditForm({ ...form, ...change }, activity, NOW)).toMatchObject({
      changes: null,
      invalid: { times: true },
    });
  });

  test.each(['-1', '1.5', 'far', '100001'])('a distance of %s', (distance) => {
    expect(parseEditForm({ ...form, distance }, activity, NOW)).toMatchObject({
      changes: null,
      invalid: { distance: true },
    });
  });

  test.each(['-1', '1.01', 'long', '91'])('a pause of %s minutes', (paused) => {
    expect(parseEditForm({ ...form, paused }, activity, NOW)).toMatchObject({
      changes: null,
      invalid: { pause: true },
    });
  });

  test('an end so early that the pause no longer fits', () => {
    const ended = local('2026-11-21T10:01:00Z');
    expect(parseEditForm({ ...form, ended }, activity, NOW)).toMatchObject({
      changes: null,
      invalid: { times: false, pause: true },
    });
  });

  test('nothing that has changed', () => {
    const invalid = { times: false, pause: false, distance: false };
    expect(parseEditForm(form, activity, NOW)).toEqual({ changes: null, invalid });
  });
});

describe('in yards', () => {
  const inYards = (distance: string, distance_m: number | null = 572) =>
    parseEditForm({ ...form, distance }, { ...activity, distance_m }, NOW, 'yd');

  test.each(['-1', '1.5', '109362'])('a distance of %s is refused', (distance) => {
    expect(inYards(distance)).toMatchObject({ changes: null, invalid: { distance: true } });
  });

  test('a distance is sent in whole metres, unless the metres stay the same', () => {
    expect(toEditForm({ ...activity, distance_m: 572 }, 'yd').distance).toBe('625');
    expect(inYards('650').changes).toEqual({ distance_m: 594 });
    expect(inYards('109361').changes).toEqual({ distance_m: 100_000 });
    expect(inYards('').changes).toEqual({ distance_m: null });
    for (const same of ['625', '0625', '626']) expect(inYards(same).changes).toBeNull();
  });
});

test('only changed fields are sent: the seconds of an untouched time stay', () => {
  const changed = { ...form, ended: local('2026-11-21T11:00:00Z') };
  expect(parseEditForm(changed, activity, NOW).changes).toEqual({ ended_at: '2026-11-21T11:00:00.000Z' });
  expect(parseEditForm({ ...form, paused: '3' }, activity, NOW).changes).toEqual({ paused_s: 180 });
  expect(parseEditForm({ ...form, paused: '' }, activity, NOW).changes).toEqual({ paused_s: 0 });
  expect(parseEditForm({ ...form, distance: '' }, activity, NOW).changes).toEqual({ distance_m: null });
  expect(parseEditForm({ ...form, intensity: 'hard', sport_center_id: 'there' }, activity, NOW).changes).toEqual({
    intensity: 'hard',
    sport_center_id: 'there',
  });
});

describe('the free part of a time', () => {
  test('is missing where all of it is taken, or where the start cannot move', () => {
    expect(findLongestFreeRange({ from: 10, to: 20 }, [{ from: 0, to: 30 }], false)).toBeNull();
    expect(findLongestFreeRange({ from: 10, to: 20 }, [{ from: 0, to: 15 }], true)).toBeNull();
  });

  test('ends where the other phone began', () => {
    expect(findLongestFreeRange({ from: 10, to: 20 }, [{ from: 16, to: Number.POSITIVE_INFINITY }], true)).toEqual({
      from: 10,
      to: 16,
    });
  });

  const range = fc
    .record({ from: fc.integer({ min: 0, max: 40 }), length: fc.integer({ min: 1, max: 15 }) })
    .map(({ from, length }) => ({ from, to: from + length }));

  test('whatever is taken: it is as long as the longest run of free minutes', () => {
    fc.assert(
      fc.property(range, fc.array(range, { maxLength: 6 }), fc.boolean(), (own, others, keep_start) => {
        let longest = 0;
        let run = 0;
        for (let minute = own.from; minute < own.to; minute += 1) {
          const taken = others.some(({ from, to }) => minute >= from && minute < to);
          run = taken ? 0 : run + 1;
          if (!keep_start || run === minute - own.from + 1) longest = Math.max(longest, run);
        }
        const free = findLongestFreeRange(own, others, keep_start);
        expect(free ? free.to - free.from : 0).toBe(longest);
        if (free) expect(others.some(({ from, to }) => from < free.to && to > free.from)).toBe(false);
      }),
    );
  });
});
