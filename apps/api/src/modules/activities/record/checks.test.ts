import { describe, expect, test } from 'vitest';
import { assertValidDuration, findOverlap } from './checks.ts';

const at = (time: string) => new Date(`2026-11-20T${time}Z`);

function activity(id: string, started: string, ended: string | null) {
  const ended_at = ended === null ? null : at(ended);
  return { id, status: 'finished' as const, started_at: at(started), ended_at };
}

describe('the length of an activity', () => {
  test.each([
    ['nothing', at('10:00:00')],
    ['a millisecond less than nothing', at('09:59:59.999')],
    ['a millisecond more than a day', new Date(at('10:00:00').getTime() + 86_400_001)],
  ])('is refused when it is %s', (_length, ended_at) => {
    expect(() => assertValidDuration(at('10:00:00'), ended_at)).toThrow(
      expect.objectContaining({ code: 'activity_duration_invalid' }),
    );
  });

  test.each([
    ['a millisecond', at('10:00:00.001')],
    ['a day', new Date(at('10:00:00').getTime() + 86_400_000)],
  ])('may be %s', (_length, ended_at) => {
    expect(() => assertValidDuration(at('10:00:00'), ended_at)).not.toThrow();
  });
});

describe('two activities of an athlete', () => {
  const first = activity('first', '10:00:00', '11:00:00');

  test.each([
    ['begins in the last second of the other one', activity('second', '10:59:59', '12:00:00')],
    ['ends in the first second of the other one', activity('second', '09:00:00', '10:00:01')],
    ['runs, and began in the other one', activity('second', '10:30:00', null)],
  ])('overlap where one %s', (_where, second) => {
    expect(findOverlap(second, [first])).toBe(first);
  });

  test.each([
    ['begins when the other one ends', activity('second', '11:00:00', '12:00:00')],
    ['ends when the other one begins', activity('second', '09:00:00', '10:00:00')],
    ['runs, and began when the other one ended', activity('second', '11:00:00', null)],
  ])('do not overlap where one %s', (_where, second) => {
    expect(findOverlap(second, [first])).toBe(undefined);
  });
});
