import { describe, expect, test } from 'vitest';
import { areCodesLinked, isTooShortToScore, peerProofAllowedFrom, venueLimitOf } from './fair-proof.ts';

const MINUTE_MS = 60_000;
const NOON = Date.parse('2026-03-18T12:00:00Z');
const proof = (minute: number, minutes: number) => ({
  scanned_at_ms: NOON + minute * MINUTE_MS,
  duration_ms: minutes * MINUTE_MS,
});

describe("a friend's confirmation of the same athlete", () => {
  test.each([
    ['in the same second', proof(0, 60), [proof(0, 60)], 60],
    ['a second before the length has passed', proof(60, 61), [proof(0, 10)], 61],
    ['that arrives later and was made before', proof(-59, 10), [proof(0, 60)], 10],
    ['after several: counted from the last', proof(10, 30), [proof(0, 30), proof(-5, 30)], 30],
  ])('%s has to wait', (_name, one, others, minute) => {
    expect(peerProofAllowedFrom(one, others)).toBe(NOON + minute * MINUTE_MS);
  });

  test.each([
    ['the first', proof(0, 600), []],
    ['as late as the activity is long', proof(60, 60), [proof(0, 600)]],
    ['made before, as far as the other is long', proof(-60, 600), [proof(0, 60)]],
  ])('%s counts at once', (_name, one, others) => {
    expect(peerProofAllowedFrom(one, others)).toBeNull();
  });
});

test('a visit with linked codes, or by an installation of another account, counts on no public board', () => {
  const visit = (shares_codes: boolean, shares_installation: boolean) =>
    venueLimitOf({ shares_codes, shares_installation });
  expect([visit(true, true), visit(true, false), visit(false, true), visit(false, false)]).toEqual([
    'venue_codes_shared',
    'venue_codes_shared',
    'venue_installation_shared',
    null,
  ]);
});

describe('the codes of a visit', () => {
  const visit = (start: number, end: number) => ({ start: `kiosk ${start}`, end: `kiosk ${end}` });

  test.each([
    ['of the same two codes', [visit(1, 50)]],
    ['of three visits that follow each other', [visit(1, 51), visit(2, 51), visit(2, 50)]],
    ['in any order', [visit(2, 50), visit(2, 51), visit(1, 51)]],
    ['in which the finish of one is the start of the next', [visit(1, 40), visit(40, 50)]],
  ])('are linked by a chain %s', (_name, earlier) => {
    expect(areCodesLinked(visit(1, 50), earlier)).toBe(true);
  });

  test.each([
    ['without any', []],
    ['that share only the start', [visit(1, 51), visit(1, 52)]],
    ['that share only the finish', [visit(2, 50), visit(3, 50)]],
    ['that share both with visits apart from each other', [visit(1, 51), visit(2, 50)]],
  ])('are not linked by earlier visits %s', (_name, earlier) => {
    expect(areCodesLinked(visit(1, 50), earlier)).toBe(false);
  });

  test('put at most one visit less than there are codes on public boards, in whatever order', () => {
    const grid = [1, 2, 3, 4, 5].flatMap((start) => [50, 51, 52, 53, 54].map((end) => visit(start, end)));
    for (const order of [grid, grid.toReversed(), grid.toSorted((a, b) => a.end.localeCompare(b.end))]) {
      const counted = order.filter((one, nth) => !areCodesLinked(one, order.slice(0, nth)));
      expect(counted).toHaveLength(9);
    }
  });
});

test('only codes that are less than ten minutes apart cannot give points', () => {
  const apart = (steps: number) => isTooShortToScore(100, 100 + steps);
  expect([0, 37, 38].map(apart)).toEqual([true, true, false]);
});
