import { expect, test } from 'vitest';
import { weekPoints } from './week.ts';

const MONDAY_IN_MADRID = Date.parse('2026-11-16T00:30:00+01:00');

test('a week begins on Monday by the clock of the zone, and unconfirmed points stand apart', () => {
  const activities = [
    { started_at: '2026-11-15T23:15:00Z', status: 'validated', points: 100, potential_points: 100 },
    { started_at: '2026-11-15T22:45:00Z', status: 'validated', points: 50, potential_points: 50 },
    { started_at: '2026-11-18T10:00:00Z', status: 'finished', points: 0, potential_points: 331 },
    { started_at: '2026-11-18T12:00:00Z', status: 'rejected', points: 0, potential_points: 200 },
    { started_at: '2026-11-22T23:30:00Z', status: 'validated', points: 70, potential_points: 70 },
  ];
  expect(weekPoints(activities, MONDAY_IN_MADRID, 'Europe/Madrid')).toEqual({ validated: 100, potential: 331 });
  expect(weekPoints([], MONDAY_IN_MADRID, 'Europe/Madrid')).toEqual({ validated: 0, potential: 0 });
});
