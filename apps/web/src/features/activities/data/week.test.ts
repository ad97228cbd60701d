import { expect, test } from 'vitest';
import type { ActivityView } from './activity-view.ts';
import { NEWEST_ACTIVITIES, newestPartialWeek } from './queries.ts';
import { isConfirmable, pointsByWeek, unconfirmedState } from './week.ts';

const NOW = Date.parse('2026-11-16T13:30:00+01:00');
const ZONE = 'Europe/Madrid';

type Proof = ActivityView['proof'];

function activity(
  from: string,
  to: string | null,
  status: ActivityView['status'],
  points: number,
  proof: Proof = 'finished',
) {
  const validated = status === 'validated' ? points : 0;
  return { started_at: from, ended_at: to, status, proof, points: validated, potential_points: points };
}

test('a running, a rejected and a refused activity is not unconfirmed, and a validated one counts', () => {
  const activities = [
    activity('2026-11-16T10:00:00Z', '2026-11-16T11:00:00Z', 'rejected', 200, 'rejected'),
    activity('2026-11-16T10:00:00Z', '2026-11-16T11:00:00Z', 'finished', 300, 'refused'),
    activity('2026-11-16T12:00:00Z', null, 'active', 0),
    activity('2026-11-16T08:00:00Z', '2026-11-16T09:00:00Z', 'validated', 100, 'validated'),
  ];
  expect(activities.map((one) => unconfirmedState(one, NOW))).toEqual([null, null, null, null]);
  expect(pointsByWeek(activities, NOW, ZONE).get('2026-W47')).toEqual({ validated: 100, unconfirmed: 0, waiting: 0 });
});

test('a week begins on Monday by the clock of the zone', () => {
  const activities = [
    activity('2026-11-15T23:15:00Z', '2026-11-16T00:15:00Z', 'validated', 100),
    activity('2026-11-15T22:45:00Z', '2026-11-15T23:45:00Z', 'validated', 50),
    activity('2026-11-22T23:30:00Z', '2026-11-22T23:50:00Z', 'validated', 70),
    activity('2026-11-16T10:00:00Z', '2026-11-16T11:00:00Z', 'finished', 331),
  ];
  const weeks = pointsByWeek(activities, NOW, ZONE);
  expect(weeks.get('2026-W47')).toEqual({ validated: 100, unconfirmed: 331, waiting: 331 });
  expect([weeks.get('2026-W46')?.validated, weeks.get('2026-W48')?.validated]).toEqual([50, 70]);
  expect(pointsByWeek([], NOW, ZONE).size).toBe(0);
});

test('an op that is not sent yet leaves the activity waiting', () => {
  const saved = activity('2026-11-16T10:00:00Z', '2026-11-16T11:00:00Z', 'finished', 331, 'saved');
  expect(unconfirmedState(saved, NOW)).toBe('waiting');
});

test('12 hours after its end an activity no longer waits, but stays unconfirmed', () => {
  const old = activity('2026-11-15T23:15:00Z', '2026-11-16T00:29:00Z', 'finished', 300);
  const young = activity('2026-11-15T23:15:00Z', '2026-11-16T00:31:00Z', 'finished', 200);
  expect([unconfirmedState(old, NOW), unconfirmedState(young, NOW)]).toEqual(['expired', 'waiting']);
  const week = pointsByWeek([old, young], NOW, ZONE).get('2026-W47');
  expect(week).toEqual({ validated: 0, unconfirmed: 500, waiting: 200 });
});

test('after an appeal an activity waits for 12 hours from then, and no longer than two weeks', () => {
  const old = activity('2026-11-15T23:15:00Z', '2026-11-16T00:15:00Z', 'finished', 300);
  const waits = (appealed_at: string | null, now: number) => isConfirmable({ ...old, appealed_at }, now);
  expect(waits(null, NOW)).toBe(false);
  expect(waits('2026-11-16T00:31:00Z', NOW)).toBe(true);
  expect(waits('2026-11-16T00:29:00Z', NOW)).toBe(false);
  const [asked, two_weeks] = ['2026-11-29T23:00:00Z', Date.parse('2026-11-30T00:15:00Z')];
  expect([waits(asked, two_weeks), waits(asked, two_weeks + 1)]).toEqual([true, false]);
});

test('a week is complete while the list of the newest activities is not full, or begins earlier', () => {
  const on = (started_at: string) => ({ started_at });
  const full = Array.from({ length: NEWEST_ACTIVITIES }, () => on('2026-11-16T10:00:00Z'));
  expect(newestPartialWeek(full.slice(1), ZONE)).toBeNull();
  expect(newestPartialWeek([...full.slice(1), on('2026-11-15T22:00:00Z')], ZONE)).toBe('2026-W46');
  expect(newestPartialWeek(full, ZONE)).toBe('2026-W47');
});
