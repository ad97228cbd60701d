import { expect, test } from 'vitest';
import { isConfirmable, weekPoints } from './week.ts';

const NOW = Date.parse('2026-11-16T13:30:00+01:00');

function activity(from: string, to: string | null, status: string, points: number) {
  const validated = status === 'validated' ? points : 0;
  return { started_at: from, ended_at: to, status, points: validated, potential_points: points };
}

test('a week begins on Monday by the clock of the zone, and unconfirmed points stand apart', () => {
  const activities = [
    activity('2026-11-15T23:15:00Z', '2026-11-16T00:15:00Z', 'validated', 100),
    activity('2026-11-15T22:45:00Z', '2026-11-15T23:45:00Z', 'validated', 50),
    activity('2026-11-22T23:30:00Z', '2026-11-22T23:50:00Z', 'validated', 70),
    activity('2026-11-16T10:00:00Z', '2026-11-16T11:00:00Z', 'finished', 331),
    activity('2026-11-16T10:00:00Z', '2026-11-16T11:00:00Z', 'rejected', 200),
    activity('2026-11-16T12:00:00Z', null, 'active', 0),
  ];
  expect(weekPoints(activities, NOW, 'Europe/Madrid')).toEqual({ key: '2026-W47', validated: 100, potential: 331 });
  expect(weekPoints([], NOW, 'Europe/Madrid')).toEqual({ key: '2026-W47', validated: 0, potential: 0 });
});

test('what nobody may confirm any more, 12 hours after its end, does not wait', () => {
  const old = activity('2026-11-15T23:15:00Z', '2026-11-16T00:29:00Z', 'finished', 300);
  const young = activity('2026-11-15T23:15:00Z', '2026-11-16T00:31:00Z', 'finished', 200);
  expect(weekPoints([old, young], NOW, 'Europe/Madrid').potential).toBe(200);
});

test('what another referee was asked about waits for 12 hours from then, and no longer than two weeks', () => {
  const old = activity('2026-11-15T23:15:00Z', '2026-11-16T00:15:00Z', 'finished', 300);
  const waits = (appealed_at: string | null, now: number) => isConfirmable({ ...old, appealed_at }, now);
  expect(waits(null, NOW)).toBe(false);
  expect(waits('2026-11-16T00:31:00Z', NOW)).toBe(true);
  expect(waits('2026-11-16T00:29:00Z', NOW)).toBe(false);
  const [asked, two_weeks] = ['2026-11-29T23:00:00Z', Date.parse('2026-11-30T00:15:00Z')];
  expect([waits(asked, two_weeks), waits(asked, two_weeks + 1)]).toEqual([true, false]);
});
