import { Op } from '@sendlap/contract/activities.ts';
import { toTimestamp } from '@sendlap/domain/recording/to-timestamp.ts';
import { describe, expect, test } from 'vitest';
import { createFinishOp, createStartOp, pacePer100, swumMetres } from './activity-ops.ts';

const newId = () => crypto.randomUUID();
const center = { id: newId(), name: 'Pool', sports: ['swimming'] as const };
const NOW = Date.parse('2026-11-21T10:00:00.900Z');

function running(draft: Parameters<typeof createFinishOp>[0]['activity']['draft'] = null) {
  const { op, facts } = createStartOp({ center, sport_type: 'swimming', intensity: 'moderate', now: NOW, newId });
  return { ...facts, client_id: op.client_id, draft };
}

describe('a finish', () => {
  test('is never before the start, even if the clock was set back in between', () => {
    const op = createFinishOp({ activity: running(), ended_at: NOW - 60_000, newId });
    expect(op.ended_at).toBe('2026-11-21T10:00:01.000Z');
  });

  test('has no distance without counted lengths, nor for climbing', () => {
    const counted = { intensity: null, pool_length_m: 25, lengths: 40 };
    expect(createFinishOp({ activity: running({ ...counted, lengths: 0 }), ended_at: NOW, newId })).not.toHaveProperty(
      'distance_m',
    );
    expect(
      createFinishOp({ activity: running({ ...counted, pool_length_m: 0 }), ended_at: NOW, newId }),
    ).not.toHaveProperty('distance_m');
    const climb = { ...running(counted), sport_type: 'climbing' as const };
    expect(createFinishOp({ activity: climb, ended_at: NOW, newId })).not.toHaveProperty('distance_m');
  });

  test('carries the values noted during the activity', () => {
    const draft = { intensity: 'easy', pool_length_m: 25, lengths: 40 } as const;
    const op = createFinishOp({ activity: running(draft), ended_at: NOW + 2_700_500, newId });
    expect(op).toMatchObject({ distance_m: 1000, intensity: 'easy', ended_at: '2026-11-21T10:45:01.000Z' });
    expect(Op.safeParse(op).success).toBe(true);
  });

  test('carries the seconds at rest between start and end; a running pause ends with it', () => {
    const pause = (from_s: number, to_s: number | null) => ({
      since: { at_ms: NOW + from_s * 1000 },
      until: to_s === null ? null : { at_ms: NOW + to_s * 1000 },
    });
    const finishAfter = (seconds: number, ...pauses: ReturnType<typeof pause>[]) =>
      createFinishOp({
        activity: running({ intensity: null, pool_length_m: 0, lengths: 0, pauses }),
        ended_at: NOW + seconds * 1000,
        newId,
      });
    expect(finishAfter(600)).not.toHaveProperty('paused_s');
    const op = finishAfter(600, pause(60, 120), pause(500, null));
    expect(op.paused_s).toBe(159);
    expect(Op.safeParse(op).success).toBe(true);
    // The athlete says that it ended before the second pause, or within it.
    expect(finishAfter(300, pause(60, 120), pause(500, null)).paused_s).toBe(60);
    expect(finishAfter(90, pause(0, null)).paused_s).toBe(89);
  });
});

test.each([
  ['climbing', 'hard', 'hard'],
  ['climbing', null, 'moderate'],
  ['swimming', 'hard', null],
] as const)(
  'a start is an op that the contract accepts, in whole seconds: %s, %s, is stated as %s',
  (sport_type, intensity, stated) => {
    const { op, facts } = createStartOp({ center, sport_type, intensity, now: NOW, newId });
    expect(Op.safeParse(op).success).toBe(true);
    expect(facts).toMatchObject({
      started_at: '2026-11-21T10:00:00.000Z',
      sport_center_name: 'Pool',
      intensity: stated,
    });
    expect('intensity' in op).toBe(stated !== null);
    expect(toTimestamp(NOW)).toBe(facts.started_at);
  },
);

test('the code of the kiosk goes with the start and the finish that were read from it', () => {
  const venue_scan = { payload: 'A'.repeat(40), scanned_at: '2026-11-21T10:00:00.000Z' };
  const { op } = createStartOp({ center, sport_type: 'swimming', intensity: 'easy', now: NOW, venue_scan, newId });
  const finish = createFinishOp({ activity: running(), ended_at: NOW + 60_000, venue_scan, newId });
  for (const sent_op of [op, finish]) {
    expect(sent_op).toMatchObject({ venue_scan });
    expect(Op.safeParse(sent_op).success).toBe(true);
  }
  expect(createFinishOp({ activity: running(), ended_at: NOW, newId })).not.toHaveProperty('venue_scan');
});

test('lengths of a pool in yards are whole metres', () => {
  const draft = { intensity: null, pool_length_m: 22.86, lengths: 25 };
  expect(swumMetres(draft)).toBe(572);
  const finish = createFinishOp({ activity: { ...running(), draft }, ended_at: NOW + 60_000, newId });
  expect(finish).toMatchObject({ distance_m: 572 });
  expect(Op.safeParse(finish).success).toBe(true);
});

test('pace is seconds per 100 m or yd, and unknown before the first length', () => {
  expect(pacePer100({ metres: 0, active_ms: 60_000, unit: 'm' })).toBeNull();
  expect(pacePer100({ metres: 1000, active_ms: 20 * 60_000, unit: 'm' })).toBe(120);
  expect(pacePer100({ metres: 1000, active_ms: 20 * 60_000, unit: 'yd' })).toBeCloseTo(109.728, 9);
});
