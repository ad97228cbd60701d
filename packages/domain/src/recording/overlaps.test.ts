import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOverlapping, type MergeOp, mergedVisit, mergeOps, type RecordedVisit, type Visit } from './overlaps.ts';

const HOUR_MS = 3_600_000;
const swim = (started_at: number, ended_at: number | null, fields: Partial<RecordedVisit> = {}) => ({
  sport_center_id: 'pool',
  sport_type: 'swimming' as const,
  distance_m: null,
  is_validated: false,
  started_at,
  ended_at,
  ...fields,
});

describe('two activities that cannot be one', () => {
  test.each([
    ['of two sports', swim(15, 30, { sport_type: 'climbing' })],
    ['at two centers', swim(15, 30, { sport_center_id: 'other pool' })],
    ['one after the other', swim(20, 30)],
    ['together longer than a day', swim(15, 10 + 24 * HOUR_MS + 1)],
  ])('%s', (_which, refused) => {
    expect(mergeOps(swim(10, 20), refused)).toBeNull();
  });

  test('one of them confirmed, the other still running', () => {
    expect(mergeOps({ ...swim(10, 20), is_validated: true }, swim(15, null))).toBeNull();
  });
});

describe('one activity from two phones', () => {
  test.each<[string, RecordedVisit, RecordedVisit, MergeOp[]]>([
    ['both ended: it gets both ends', swim(10, 20), swim(5, 30), [{ kind: 'edit', started_at: 5, ended_at: 30 }]],
    ['it contains the other already', swim(10, 40), swim(15, 30), []],
    ['both run: the earlier start counts', swim(10, null), swim(5, null), [{ kind: 'edit', started_at: 5 }]],
    ['it ended on this phone', swim(10, null), swim(15, 30), [{ kind: 'finish', ended_at: 30 }]],
    [
      'it began and ended on this phone',
      swim(10, null),
      swim(5, 30),
      [
        { kind: 'edit', started_at: 5 },
        { kind: 'finish', ended_at: 30 },
      ],
    ],
    ['it runs on this phone', swim(10, 20), swim(15, null), [{ kind: 'reopen' }]],
  ])('%s', (_which, known, refused, ops) => {
    expect(mergeOps({ ...known, is_validated: false }, refused)).toEqual(ops);
  });

  test('has the longer distance, not the sum', () => {
    const counted = (distance_m: number) => ({ ...swim(10, 20), distance_m });
    expect(mergeOps(counted(500), counted(800))).toEqual([{ kind: 'edit', distance_m: 800 }]);
    expect(mergeOps(counted(800), counted(500))).toEqual([]);
  });
});

const visit = fc
  .record({ from: fc.integer({ min: 1, max: 60 }), length: fc.integer({ min: 1, max: 40 }), runs: fc.boolean() })
  .map(({ from, length, runs }) => swim(from, runs ? null : from + length));

/** What the server makes of the ops. */
function applyOps(known: Visit & { distance_m: number | null }, ops: MergeOp[]) {
  const merged = { ...known };
  for (const { kind, ...changes } of ops) Object.assign(merged, kind === 'reopen' ? { ended_at: null } : changes);
  return merged;
}

test('properties: the server ends up with the shortest visit that contains both, and a second time changes nothing', () => {
  fc.assert(
    fc.property(visit, visit, (known, refused) => {
      const ops = mergeOps(known, refused);
      expect(ops === null).toBe(!isOverlapping(known, refused));
      if (ops === null) return;
      const merged = applyOps(known, ops);
      expect(merged).toMatchObject(mergedVisit(known, refused));
      for (const { started_at, ended_at } of [known, refused]) {
        expect(merged.started_at).toBeLessThanOrEqual(started_at);
        if (merged.ended_at !== null && ended_at !== null) expect(merged.ended_at).toBeGreaterThanOrEqual(ended_at);
      }
      expect(
        mergeOps({ ...merged, sport_center_id: 'pool', sport_type: 'swimming', is_validated: false }, refused),
      ).toEqual([]);
    }),
  );
});

test('properties: an overlap is mutual, and one that begins as the other ends overlaps nothing', () => {
  fc.assert(
    fc.property(visit, visit, (one, other) => {
      expect(isOverlapping(one, other)).toBe(isOverlapping(other, one));
      if (one.ended_at !== null)
        expect(isOverlapping(one, { ...other, started_at: one.ended_at, ended_at: null })).toBe(false);
    }),
  );
});
