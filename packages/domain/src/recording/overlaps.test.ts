import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  containsVisit,
  isOverlapping,
  type MergeOp,
  mergedVisit,
  mergeOps,
  type RecordedVisit,
  type Visit,
} from './overlaps.ts';

const HOUR_MS = 3_600_000;
const swim = (started_at: number, ended_at: number | null, fields: Partial<RecordedVisit> = {}) => ({
  sport_center_id: 'pool',
  sport_type: 'swimming' as const,
  distance_m: null,
  paused_s: 0,
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
    [
      'it ended here, and runs on there: nothing but the start changes',
      swim(10, null),
      swim(5, 30),
      [{ kind: 'edit', started_at: 5 }],
    ],
    ['it began there: the answer alone tells', swim(10, null), swim(15, 30), [{ kind: 'edit', started_at: 10 }]],
    ['it runs on this phone', swim(10, 20), swim(15, null), [{ kind: 'reopen' }]],
  ])('%s', (_which, known, refused, ops) => {
    expect(mergeOps({ ...known, is_validated: false }, refused)).toEqual(ops);
  });

  test('has the longer distance, not the sum', () => {
    const counted = (distance_m: number) => ({ ...swim(10, 20), distance_m });
    expect(mergeOps(counted(500), counted(800))).toEqual([{ kind: 'edit', distance_m: 800 }]);
    expect(mergeOps(counted(800), counted(500))).toEqual([]);
  });

  test('has the longer pause, not the sum, unless a referee confirmed it as it is', () => {
    const [short, long] = [swim(0, 60_000, { paused_s: 10 }), swim(0, 60_000, { paused_s: 20 })];
    expect(mergeOps(short, long)).toEqual([{ kind: 'edit', paused_s: 20 }]);
    expect(mergeOps(long, short)).toEqual([]);
    expect(mergeOps({ ...short, is_validated: true }, long)).toEqual([]);
    const later = { ...long, ended_at: 61_000 };
    expect(mergeOps({ ...short, is_validated: true }, later)).toEqual([
      { kind: 'edit', ended_at: 61_000, paused_s: 20 },
    ]);
  });

  test('is active no longer than the two together', () => {
    const [first, second] = [swim(0, 60_000, { paused_s: 30 }), swim(50_000, 110_000, { paused_s: 30 })];
    expect(mergeOps(first, second)).toEqual([{ kind: 'edit', ended_at: 110_000, paused_s: 50 }]);
    expect(mergeOps({ ...first, ended_at: null, paused_s: 0 }, second)).toEqual([{ kind: 'edit', started_at: 0 }]);
  });
});

const visit = fc
  .record({
    from: fc.integer({ min: 1, max: 60 }),
    length: fc.integer({ min: 1, max: 40 }),
    runs: fc.boolean(),
    paused: fc.nat(40),
  })
  .map(({ from, length, runs, paused }) =>
    swim(from * 1000, runs ? null : (from + length) * 1000, { paused_s: runs ? 0 : Math.min(paused, length) }),
  );

/** What the server makes of the ops. */
function applyOps(known: Visit & Pick<RecordedVisit, 'distance_m' | 'paused_s'>, ops: MergeOp[]) {
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
      for (const visit of [known, refused]) expect(containsVisit(merged, visit)).toBe(true);
      const again = mergeOps(
        { ...merged, sport_center_id: 'pool', sport_type: 'swimming', is_validated: false },
        refused,
      );
      expect(applyOps(merged, again ?? [])).toEqual(merged);
      if (merged.ended_at === null) return;
      expect(again).toEqual([]);
      for (const visit of [known, refused]) expect(merged.paused_s).toBeGreaterThanOrEqual(visit.paused_s);
      expect(merged.paused_s * 1000).toBeLessThanOrEqual(merged.ended_at - merged.started_at);
    }),
  );
});

test('properties: neither phone ends a running activity of the other', () => {
  fc.assert(
    fc.property(visit, visit, (known, refused) => {
      const ops = mergeOps(known, refused);
      if (ops === null || (known.ended_at !== null && refused.ended_at !== null)) return;
      expect(applyOps(known, ops).ended_at).toBeNull();
    }),
  );
});

test('a visit contains none that began before it, ended after it, or still runs', () => {
  const swum = swim(10, 20);
  for (const other of [swim(9, 20), swim(10, 21), swim(10, null)]) expect(containsVisit(swum, other)).toBe(false);
  for (const other of [swum, swim(12, 18)]) expect(containsVisit(swum, other)).toBe(true);
  expect(containsVisit(swim(10, null), swim(10, null))).toBe(true);
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
