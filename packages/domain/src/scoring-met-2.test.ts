import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RULE_VERSION, requireRule, type ScoreInput, scoreActivity } from './scoring.ts';
import { INTENSITIES } from './sports/sport-record.ts';
import type { Sport } from './sports.ts';

function points(sport_type: Sport, minutes: number, fields: Partial<ScoreInput> = {}): number {
  return scoreActivity({
    rule_version: 'met-1',
    sport_type,
    started_at: 0,
    ended_at: minutes * 60_000,
    paused_s: 0,
    intensity: 'moderate',
    intensity_confirmed: false,
    distance_m: null,
    distance_confirmed: false,
    ...fields,
  }).points;
}

describe('rule met-2: measuring never costs', () => {
  const now = (sport: Sport, minutes: number, fields: Partial<ScoreInput> = {}) =>
    points(sport, minutes, { rule_version: 'met-2', ...fields });
  const anyMinutes = fc.integer({ min: 0, max: 400 });
  const anyMetres = fc.nat(20_000);
  const anyIntensity = fc.constantFrom(...INTENSITIES, null);

  test('it is the rule of activities that begin now; an unknown rule scores nothing', () => {
    expect([RULE_VERSION, requireRule('met-1'), requireRule('met-2')]).toEqual(['met-2', 'met-1', 'met-2']);
    expect(() => requireRule('met-9')).toThrow(new RangeError('unknown rule of the score: met-9'));
  });

  test.each([
    [45, {}, 235],
    [45, { intensity: 'hard' as const, intensity_confirmed: true }, 235],
    [45, { distance_m: 2000 }, 235],
    [45, { distance_m: 2000, distance_confirmed: true }, 323],
    [60, { distance_m: 3000, distance_confirmed: true }, 458],
    [46, { distance_m: 1000, distance_confirmed: true }, 241],
  ])('swim %i min with %o: %i', (minutes, fields, expected) => expect(now('swimming', minutes, fields)).toBe(expected));

  test('a swim that is measured, or measured longer, or proven, never gives fewer points', () => {
    const anyFields = fc.record({
      intensity: anyIntensity,
      intensity_confirmed: fc.boolean(),
      distance_confirmed: fc.boolean(),
    });
    fc.assert(
      fc.property(anyMinutes, anyMetres, anyMetres, anyFields, (minutes, distance_m, more, fields) => {
        const unmeasured = now('swimming', minutes, { ...fields, distance_m: null });
        const measured = now('swimming', minutes, { ...fields, distance_m });
        const longer = now('swimming', minutes, { ...fields, distance_m: distance_m + more });
        const proven = now('swimming', minutes, { ...fields, distance_m, distance_confirmed: true });
        expect(measured).toBeGreaterThanOrEqual(unmeasured);
        expect(longer).toBeGreaterThanOrEqual(measured);
        expect(proven).toBeGreaterThanOrEqual(measured);
      }),
    );
  });

  test('no statement of an athlete about a swim changes its points', () => {
    fc.assert(
      fc.property(anyMinutes, fc.option(anyMetres), anyIntensity, (minutes, distance_m, intensity) => {
        expect(now('swimming', minutes, { distance_m, intensity })).toBe(now('swimming', minutes));
      }),
    );
  });

  test('climbing scores as before', () => {
    fc.assert(
      fc.property(anyMinutes, anyIntensity, fc.boolean(), (minutes, intensity, intensity_confirmed) => {
        const facts = { intensity, intensity_confirmed };
        expect(now('climbing', minutes, facts)).toBe(points('climbing', minutes, facts));
      }),
    );
  });
});
