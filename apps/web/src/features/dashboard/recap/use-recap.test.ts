import type { PeriodRecap, Recap } from '@sendlap/contract/stats.ts';
import { expect, test } from 'vitest';
import { withoutEndedPeriods } from './use-recap.ts';

const period = (key: string): PeriodRecap => ({
  key,
  starts_on: '',
  ends_on: '',
  points: 1,
  active_days: 1,
  sports: [],
});
const RECAP: Recap = {
  week: { key: '2026-W47', time_zone: 'Europe/Madrid' },
  ...{ lifetime_points: 2, best_week: null, bests: [] },
  ...{ last_week: period('2026-W46'), season: period('2026-Q4') },
};

test.each([
  ['2026-11-22T22:59:59Z', ['2026-W46', '2026-Q4']],
  ['2026-11-22T23:00:00Z', [undefined, '2026-Q4']],
  ['2027-01-03T22:59:59Z', [undefined, '2026-Q4']],
  ['2027-01-03T23:00:00Z', [undefined, undefined]],
])('at %s in Madrid an answer of 2026-W47 still shows %j', (now, keys) => {
  const { last_week, season, lifetime_points } = withoutEndedPeriods(RECAP, Date.parse(now));
  expect([last_week?.key, season?.key]).toEqual(keys);
  expect(lifetime_points).toBe(2);
});

test.each([
  ['Pacific/Kiritimati', '2026-11-22T10:00:00Z', undefined],
  ['Europe/Madrid', '2026-11-22T10:00:00Z', '2026-W46'],
  ['Pacific/Honolulu', '2026-11-23T09:59:59Z', '2026-W46'],
])('in %s the week of the answer ends there, wherever the device is (%s)', (time_zone, now, key) => {
  const recap = { ...RECAP, week: { ...RECAP.week, time_zone } };
  expect(withoutEndedPeriods(recap, Date.parse(now)).last_week?.key).toBe(key);
});
