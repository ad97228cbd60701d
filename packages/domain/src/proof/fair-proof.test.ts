import { describe, expect, test } from 'vitest';
import { isTooShortToScore, peerProofAllowedFrom, venueCodesKey, venueLimitOf } from './fair-proof.ts';

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

test('a visit whose two codes, or whose installation, another account used counts on no public board', () => {
  const visit = (shares_codes: boolean, shares_installation: boolean) =>
    venueLimitOf({ shares_codes, shares_installation });
  expect([visit(true, true), visit(true, false), visit(false, true), visit(false, false)]).toEqual([
    'venue_codes_shared',
    'venue_codes_shared',
    'venue_installation_shared',
    null,
  ]);
});

test('the codes of two visits are the same only if kiosk, start and finish are', () => {
  const codes = { kiosk_id: 'k', start_step: 1, end_step: 23 };
  const others = [
    { ...codes, kiosk_id: 'l' },
    { ...codes, start_step: 12, end_step: 3 },
    { ...codes, end_step: 24 },
  ];
  expect(venueCodesKey({ ...codes })).toBe(venueCodesKey(codes));
  for (const other of others) expect(venueCodesKey(other)).not.toBe(venueCodesKey(codes));
});

test('only codes that lie less than ten minutes apart cannot give points', () => {
  const apart = (steps: number) => isTooShortToScore({ kiosk_id: 'k', start_step: 100, end_step: 100 + steps });
  expect([0, 37, 38].map(apart)).toEqual([true, true, false]);
});
