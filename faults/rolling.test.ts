import { expect, test } from 'vitest';
import { findFaults } from '../e2e/rolling/find-faults.ts';
import type { Arm, Phase } from '../e2e/rolling/run-arm.ts';

const CALM: Phase = { faults: 2, requests: 1_000, failures: [], span_ms: 1_500, slowest_ms: 90 };
const FINE: Arm = {
  ...{ rolling: CALM, kill: CALM, database: CALM },
  streams: { missed: 0, cut: 0 } as Arm['streams'],
  ...{ acknowledged: 500, lost: 0, doubled: 0, unheard: 0 },
};

test('spans above the goals are no fault by themselves, as other programs may share the machine', () => {
  expect(findFaults({ ...FINE, kill: { ...CALM, span_ms: 9_999 } })).toEqual([]);
});

test('errors of more than 10 s after a killed node or a restart of PostgreSQL are faults', () => {
  const late = { ...CALM, span_ms: 10_100 };
  expect(findFaults({ ...FINE, kill: late, database: late })).toEqual([
    '10.1 s of errors after kill -9',
    '10.1 s until requests succeeded after PostgreSQL was back',
  ]);
});
